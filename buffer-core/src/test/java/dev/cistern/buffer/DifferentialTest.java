/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Makes the same random calls on Netty 4.1's buffer and on Cistern's, of every kind. Values, bytes,
 * indices, marks, counts and the types of exceptions must be the same, except for each {@link
 * Deviation}. The test finds methods by reflection, so that it also calls new ones. {@code
 * -Dcistern.seed} repeats a run; {@code -Dcistern.differential.operations} makes it longer.
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
@Unwatched("both sides alike: a kind is leak-aware on both, or on none")
class DifferentialTest {
  private static final int CALLS_PER_BUFFER = 150;

  static final List<MethodPair> METHODS =
      MethodPair.of(
          "buffer.ByteBuf", method -> MethodPair.isInstance(method) && !isToString(method));

  static final int KINDS = TwinKind.values().length;

  /**
   * Time limit for rare deviations, which may need hundreds of rounds; these usually take some
   * seconds.
   */
  private static final Duration MORE_TIME = Duration.ofSeconds(100);

  private static final int OPERATIONS_PER_ROUND = 1000;

  private static int kindsCompared;
  private static int operations;

  /** Returns whether {@link ByteBuf} has the method, too. */
  static boolean isOfEveryBuffer(java.lang.reflect.Method method) {
    try {
      io.netty.buffer.ByteBuf.class.getMethod(method.getName(), method.getParameterTypes());
      return true;
    } catch (NoSuchMethodException ofItsOwn) {
      return false;
    }
  }

  /** Returns whether the method is toString(), whose result need not be the same. */
  private static boolean isToString(java.lang.reflect.Method method) {
    return method.getName().equals("toString") && method.getParameterCount() == 0;
  }

  @ParameterizedTest
  @EnumSource(TwinKind.class)
  void behavesAsNettysBuffer(TwinKind kind) throws IOException {
    DifferentialSettings settings = DifferentialSettings.of(kind.toString());
    int calls = compare(kind, METHODS, CALLS_PER_BUFFER, settings, KINDS);
    operations += calls;
    kindsCompared++;
    assertThat(METHODS).hasSizeGreaterThan(180);
  }

  /** Runs one share of the operations and returns the number of calls. */
  static int compare(
      TwinKind kind,
      List<MethodPair> methods,
      int callsPerBuffer,
      DifferentialSettings settings,
      int shares)
      throws IOException {
    long start = System.nanoTime();
    int share = (settings.operations() + shares - 1) / shares;
    int calls = drive(kind, methods, callsPerBuffer, settings, share);
    settings.print(calls, start);
    return calls;
  }

  private static int drive(
      TwinKind kind,
      List<MethodPair> methods,
      int callsPerBuffer,
      DifferentialSettings settings,
      int operations)
      throws IOException {
    int calls = 0;
    NettyLeakLevel.watchAll(kind.isLeakAware());
    try (TwinFiles files = new TwinFiles()) {
      for (int buffers = 0; calls < operations; buffers++) {
        SplittableRandom random = settings.random(buffers);
        byte[] bytes = new byte[kind == TwinKind.EMPTY ? 0 : random.nextInt(200)];
        random.nextBytes(bytes);
        TwinRun run = new TwinRun(settings.name(buffers), methods, random, files);
        calls += run.drive(kind.twin(bytes, random), callsPerBuffer);
      }
    }
    return calls;
  }

  /** Checks that each deviation was met, if all kinds were compared without another difference. */
  @AfterAll
  static void everyDeviationIsNeeded() throws IOException {
    if (kindsCompared == KINDS) {
      List<TwinKind> kinds = List.of(TwinKind.values());
      operations += driveOn(Map.of("", METHODS), kinds, CALLS_PER_BUFFER, Deviation.OF_BUFFERS);
    }
    for (Deviation deviation : Deviation.values()) {
      System.out.printf(
          "%d x %s: %s%n    %s%n",
          deviation.timesMet(), deviation, deviation.reason(), deviation.results());
    }
    System.out.printf("%d operations on %d kinds%n", operations, kindsCompared);
    if (kindsCompared == KINDS) {
      assertThat(Deviation.unmet(Deviation.OF_BUFFERS)).isEmpty();
    }
  }

  /**
   * Compares further buffers of these kinds until each of the deviations was met, or the time is
   * up, because a short run can miss a rare deviation.
   *
   * @param methods by the start of the name that a failure gets
   * @return the number of operations
   */
  static int driveOn(
      Map<String, List<MethodPair>> methods,
      List<TwinKind> kinds,
      int callsPerBuffer,
      Set<Deviation> deviations)
      throws IOException {
    long start = System.nanoTime();
    int calls = 0;
    for (int round = 0; !Deviation.unmet(deviations).isEmpty(); round++) {
      if (System.nanoTime() - start > MORE_TIME.toNanos()) {
        break;
      }
      for (Map.Entry<String, List<MethodPair>> some : methods.entrySet()) {
        for (TwinKind kind : kinds) {
          DifferentialSettings settings = DifferentialSettings.ofRound(some.getKey() + kind, round);
          calls += drive(kind, some.getValue(), callsPerBuffer, settings, OPERATIONS_PER_ROUND);
        }
      }
    }
    return calls;
  }
}
