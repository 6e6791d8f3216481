/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Makes the comparison of {@link DifferentialTest} for static functions. The first buffer that a
 * function takes is the compared one.
 */
@Tag("D1")
@Tag("D2")
@Tag("D3")
@ExtendWith(PoolCheck.class)
@Unwatched("both sides alike: a kind is leak-aware on both, or on none")
class StaticsDifferentialTest {
  private static final int CALLS_PER_BUFFER = 20;
  private static final String BYTE_BUF_UTIL = "buffer.ByteBufUtil";
  private static final String UNPOOLED = "buffer.Unpooled";

  private static final List<String> TYPES = List.of(BYTE_BUF_UTIL, UNPOOLED);

  /** All shares together make a tenth as many calls as {@link DifferentialTest}. */
  private static final int SHARES = 10 * TYPES.size() * DifferentialTest.KINDS;

  /** Kinds of buffers that can meet each deviation. */
  private static final List<TwinKind> ROUND =
      List.of(TwinKind.UNPOOLED_HEAP, TwinKind.SWAPPED_HEAP, TwinKind.READ_ONLY_HEAP);

  private static int kindsCompared;

  /** Functions of the thread or of the whole JVM. */
  private static final Set<String> NOT_OF_A_BUFFER =
      Set.of("threadLocalDirectBuffer", "setLeakListener");

  private static final Class<?>[] ADDRESS = {long.class, int.class, boolean.class};

  /**
   * Returns whether the function is compared. Functions that take an address wrap the memory there,
   * and free it: with a random address, both libraries crash the JVM.
   */
  static boolean isCompared(Method method) {
    return MethodPair.isStatic(method)
        && !NOT_OF_A_BUFFER.contains(method.getName())
        && !Arrays.equals(method.getParameterTypes(), ADDRESS);
  }

  /**
   * The excluded kind is one for which Netty's functions crash the JVM if they read out of bounds.
   */
  @ParameterizedTest
  @EnumSource(
      value = TwinKind.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = "WRAPPED_READ_ONLY_DIRECT_NIO")
  void answerAsNettys(TwinKind kind) throws IOException {
    for (String type : TYPES) {
      List<MethodPair> methods = methods(type);
      assertThat(methods).hasSizeGreaterThan(25);
      DifferentialSettings settings = DifferentialSettings.of(type + " of " + kind);
      DifferentialTest.compare(kind, methods, CALLS_PER_BUFFER, settings, SHARES);
    }
    kindsCompared++;
  }

  private static List<MethodPair> methods(String type) {
    return MethodPair.of(type, StaticsDifferentialTest::isCompared);
  }

  /** Checks that each deviation was met, if all kinds were compared without another difference. */
  @AfterAll
  static void everyDeviationIsNeeded() throws IOException {
    if (kindsCompared < DifferentialTest.KINDS - 1) {
      return;
    }
    Map<String, List<MethodPair>> methods = new TreeMap<>();
    TYPES.forEach(type -> methods.put(type + " of ", methods(type)));
    int calls = DifferentialTest.driveOn(methods, ROUND, CALLS_PER_BUFFER, Deviation.OF_STATICS);
    Set<Deviation> unmet = Deviation.unmet(Deviation.OF_STATICS);
    System.out.printf("%d more operations; deviations not met: %s%n", calls, unmet);
    Deviation.OF_STATICS.forEach(one -> System.out.printf("%s: %s%n", one, one.results()));
    assertThat(unmet).isEmpty();
  }
}
