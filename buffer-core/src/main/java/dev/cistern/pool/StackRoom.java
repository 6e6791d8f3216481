/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

/**
 * Checks that the calling thread has stack left for a slow path, before that path changes anything.
 *
 * <p>A {@link StackOverflowError} in the middle of a change cannot be undone: the handler needs
 * stack, too. So each slow path that changes several things first makes calls that need more stack
 * than the path does, and change nothing (docs/decisions/0036). The calls take about 0.4 µs when
 * compiled: no fast path makes them.
 */
public final class StackRoom {
  /**
   * Calls in a row. Each takes some 420 bytes of stack when interpreted, 170 or more when compiled;
   * two may share a frame then.
   */
  private static final int CALLS = 64;

  private StackRoom() {}

  /**
   * Returns if there is enough stack for any slow path of a pool.
   *
   * @throws StackOverflowError otherwise
   */
  public static void require() {
    if (reach(CALLS, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20) == 0) {
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

  /** Passes its numbers on in another order, so that no compiler leaves them out of the frame. */
  private static long reach(
      int calls,
      long a,
      long b,
      long c,
      long d,
      long e,
      long f,
      long g,
      long h,
      long i,
      long j,
      long k,
      long l,
      long m,
      long n,
      long o,
      long p,
      long q,
      long r,
      long s,
      long t) {
    return calls == 0
        ? a + t
        : 1 + reach(calls - 1, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, a);
  }
}
