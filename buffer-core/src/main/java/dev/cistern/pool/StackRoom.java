/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

/**
 * A check that the calling thread has enough stack for a slow path, before that path changes
 * anything.
 *
 * <p>A {@link StackOverflowError} in the middle of a change cannot be undone, because the handler
 * also needs stack. So each slow path that makes several changes first makes calls that need more
 * stack than the path, and change nothing (docs/internals/decisions/0036). The compiled calls take
 * about 10 ns, so no fast path makes them. A slow path needs less than 1,700 bytes in the
 * interpreter.
 *
 * <p>A JVM checks the stack when it makes a frame. A compiled frame has room for all code of its
 * method, including code that does not run. So the frames are large and the calls are few: a
 * processor predicts only about the last 16 returns.
 */
public final class StackRoom {
  /**
   * Number of nested calls. Two of them take about 500 bytes of stack in the interpreter, 1,900
   * compiled by C1, and 600 compiled by C2.
   */
  private static final int CALLS = 12;

  /**
   * Number of checks left in which every second check uses the frames: a compiler omits code that
   * has never run. Concurrent updates may be lost.
   */
  private static int warmUpChecks = 10_000;

  /**
   * The number 1. Volatile, so that a compiler does not know the value, and does not merge two
   * reads.
   */
  private static volatile long one = 1;

  private StackRoom() {}

  /**
   * Checks that there is enough stack for any slow path of a pool.
   *
   * @throws StackOverflowError if there is not enough stack
   */
  public static void require() {
    boolean usesFrames = warmUpChecks > 0 && (warmUpChecks-- & 1) == 0;
    if (reach(CALLS, usesFrames) == 0) {
      throw new AssertionError("the sum of positive numbers is positive");
    }
  }

  /** Returns whether there is enough stack, for a step that a later call can do. */
  static boolean isEnough() {
    try {
      require();
      return true;
    } catch (StackOverflowError notEnough) {
      return false;
    }
  }

  /** Creates large frames, each of which keeps the values that are read before the nested call. */
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

  /** Calls {@link #reach}. Compilers inline this method: only the interpreter makes a frame. */
  private static long reachDeeper(int calls, boolean usesFrames) {
    return reach(calls, usesFrames);
  }

  /** Computes a polynomial, no part of which a compiler can compute before {@code rest}. */
  private static long use(
      long a, long b, long c, long d, long e, long f, long g, long h, long rest) {
    return a + b * (c + d * (e + f * (g + h * rest)));
  }
}
