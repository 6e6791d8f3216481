/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The same random calls on Netty 4.1's buffer and on ours, of every kind: values, bytes, indices,
 * marks, counts and the types of exceptions must be the same, but for {@link Deviation}. Methods
 * are found by reflection, so that a new one is driven too. A run is repeated by {@code
 * -Dcistern.seed}; {@code -Dcistern.differential.operations} makes it longer.
 */
@Tag("B1")
@Tag("B2")
@Tag("B3")
@Tag("B8")
@Tag("B9")
@Tag("B10")
@Tag("C1")
@Tag("C2")
@Tag("C4")
@Tag("C5")
@ExtendWith(PoolCheck.class)
class DifferentialTest {
  private static final int CALLS_PER_BUFFER = 150;

  /** What each library answers for itself: who allocated, where the memory is, how it is shown. */
  private static final Set<String> OWN_AFFAIR =
      Set.of(
          "alloc", "unwrap", "asByteBuf", "arrayOffset", "memoryAddress", "maxFastWritableBytes");

  static final List<MethodPair> METHODS =
      MethodPair.of(
          "buffer.ByteBuf",
          method ->
              MethodPair.isInstance(method)
                  && !OWN_AFFAIR.contains(method.getName())
                  && !(method.getName().equals("array") || isToString(method)));

  private static int kindsCompared;

  private static boolean isToString(java.lang.reflect.Method method) {
    return method.getName().equals("toString") && method.getParameterCount() == 0;
  }

  @ParameterizedTest
  @EnumSource(TwinKind.class)
  void behavesAsNettysBuffer(TwinKind kind) throws IOException {
    assumeTrue(kind.isWritten(), "its class is to come");
    assumeTrue(kind.isDriven(), "not each of its differences is listed");
    DifferentialSettings settings = DifferentialSettings.of(kind.toString());
    long start = System.nanoTime();
    int calls = 0;
    NettyLeakLevel.watchAll(kind.isLeakAware());
    try (TwinFiles files = new TwinFiles()) {
      for (int buffers = 0; calls < settings.operations() / TwinKind.values().length; buffers++) {
        SplittableRandom random = settings.random(buffers);
        byte[] bytes = new byte[kind == TwinKind.EMPTY ? 0 : random.nextInt(200)];
        random.nextBytes(bytes);
        TwinRun run = new TwinRun(settings.name(buffers), METHODS, random, files);
        calls += run.drive(kind.twin(bytes, random), CALLS_PER_BUFFER);
      }
    }
    settings.print(calls, start);
    kindsCompared++;
    assertThat(METHODS).hasSizeGreaterThan(180);
  }

  @AfterAll
  static void everyDeviationIsNeeded() {
    for (Deviation deviation : Deviation.values()) {
      System.out.printf("%d x %s: %s%n", deviation.timesMet(), deviation, deviation.reason());
    }
    if (kindsCompared == TwinKind.values().length) {
      assertThat(Deviation.values()).allMatch(deviation -> deviation.timesMet() > 0);
    }
  }
}
