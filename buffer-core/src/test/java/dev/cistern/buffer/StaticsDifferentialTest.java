/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * As {@link DifferentialTest}, of the static functions: the first buffer that one of them takes is
 * the one that is driven.
 */
@Tag("D1")
@Tag("D2")
@Tag("D3")
@ExtendWith(PoolCheck.class)
class StaticsDifferentialTest {
  private static final int CALLS_PER_BUFFER = 20;

  /** Of the thread, or of the whole JVM. */
  private static final Set<String> NOT_OF_A_BUFFER =
      Set.of("threadLocalDirectBuffer", "setLeakListener");

  private static final Class<?>[] ADDRESS = {long.class, int.class, boolean.class};

  /**
   * Those that take an address wrap whatever lies there, and free it: with a random one both
   * libraries crash the JVM, as they must.
   */
  static boolean isCompared(Method method) {
    return MethodPair.isStatic(method)
        && !NOT_OF_A_BUFFER.contains(method.getName())
        && !Arrays.equals(method.getParameterTypes(), ADDRESS);
  }

  @ParameterizedTest
  @CsvSource({
    "buffer.ByteBufUtil, UNPOOLED_HEAP",
    "buffer.ByteBufUtil, UNPOOLED_DIRECT",
    "buffer.ByteBufUtil, SLICE_OF_SLICE",
    "buffer.ByteBufUtil, SWAPPED_HEAP",
    "buffer.ByteBufUtil, READ_ONLY_HEAP",
    "buffer.Unpooled, UNPOOLED_HEAP",
    "buffer.Unpooled, UNPOOLED_DIRECT",
  })
  void answerAsNettys(String type, TwinKind kind) throws IOException {
    List<MethodPair> methods = MethodPair.of(type, StaticsDifferentialTest::isCompared);
    assertThat(methods).hasSizeGreaterThan(25);
    DifferentialTest.compare(kind, methods, CALLS_PER_BUFFER, type + " of " + kind);
  }

  @AfterAll
  static void everyDeviationIsNeeded() {
    assertThat(Deviation.OF_STATICS).allMatch(deviation -> deviation.timesMet() > 0);
  }
}
