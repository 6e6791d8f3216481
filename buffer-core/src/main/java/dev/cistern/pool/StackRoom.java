/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

/**
 * Checks that the calling thread has stack left for a slow path, before that path changes anything.
 *
 * <p>A {@link StackOverflowError} in the middle of a change cannot be undone: the handler needs
 * stack, too. So each slow path that changes several things first makes calls that need more stack
 * than the path does, and change nothing (docs/decisions/0036). The calls take about 10 ns when
 * compiled: no fast path makes them. A slow path needs less than 1,700 bytes, in the interpreter.
 *
 * <p>A JVM checks the stack when it makes a frame. A compiled frame has room for all code of its
 * method, also for code that does not run. So the frames are large and the calls are few: a
 * processor predicts only the last 16 or so returns.
 */
public final class StackRoom {
  /**
   * Nested calls. Two of them take about 500 bytes of stack in the interpreter, 1,900 compiled by
   * C1, 600 compiled by C2.
   */
  private static final int CALLS = 12;

  /**
   * While positive, every second check uses the frames: a compiler leaves out code that has never
   * run. Updates of several threads may be lost.
   */
  private static int warmUpChecks = 10_000;

  /** Always 1. A compiler does not know that, and does not merge two reads. */
  private static volatile long one = 1;

  private StackRoom() {}

  /**
   * Returns if there is enough stack for any slow path of a pool.
   *
   * @throws StackOverflowError otherwise
   */
  public static void require() {
    boolean usesFrames = warmUpChecks > 0 && (warmUpChecks-- & 1) == 0;
    if (reach(CALLS, usesFrames) == 0) {
      throw new AssertionError("the sum of positive numbers is positive");
    }
  }

  /** Returns whether there is enough, for a path that can be left to a later call. */
  static boolean isEnough() {
    try {
      require();
      return true;
    } catch (StackOverflowError notEnough) {
      return false;
    }
  }

  /** A compiled frame keeps the values that are read before the nested call, for use after it. */
  private static long reach(int calls, boolean usesFrames) {
    if (calls == 0) {
      return one;
    }
    if (!usesFrames) {
      return reachDeeper(calls - 1, false);
    }
    return use(
        one,
        one,
        one,
        one,
        one,
        one,
        one,
        one,
        use(
            one,
            one,
            one,
            one,
            one,
            one,
            one,
            one,
            use(
                one,
                one,
                one,
                one,
                one,
                one,
                one,
                one,
                use(one, one, one, one, one, one, one, one, reachDeeper(calls - 1, true)))));
  }

  /** Compilers inline this method: only the interpreter makes a frame for it. */
  private static long reachDeeper(int calls, boolean usesFrames) {
    return reach(calls, usesFrames);
  }

  /** A polynomial: a compiler cannot compute a part of it before it knows {@code rest}. */
  private static long use(
      long a, long b, long c, long d, long e, long f, long g, long h, long rest) {
    return a + b * (c + d * (e + f * (g + h * rest)));
  }
}
