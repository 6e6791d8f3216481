/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

/**
 * Checks that the calling thread has stack left for a slow path, before that path changes anything.
 *
 * <p>A {@link StackOverflowError} in the middle of a change cannot be undone: the handler needs
 * stack, too. So each slow path that changes several things first makes calls that need more stack
 * than the path does, and change nothing (docs/decisions/0036). The calls take 10 to 15 ns when
 * compiled: no fast path makes them. A slow path needs less than 1,700 bytes, in the interpreter.
 *
 * <p>A JVM checks the stack when it makes a frame. The frame has room for all compiled code of its
 * method, also for code that does not run. So the calls are few and have large frames, and after
 * the start they do not use them. As much stack takes 64 calls of the usual size and 300 ns: a
 * processor predicts only the last 16 or so returns.
 */
public final class StackRoom {
  /**
   * Nested calls. Each takes about 1,400 bytes of stack in the interpreter, 1,300 compiled by C1,
   * 480 compiled by C2.
   */
  private static final int CALLS = 6;

  /**
   * While positive, every second check uses the frames: a compiler leaves out code that has never
   * run. Updates of several threads may be lost.
   */
  private static int warmUpChecks = 10_000;

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

  /** The interpreter needs stack for the variables, compiled code for the arguments. */
  private static long reach(int calls, boolean usesFrames) {
    long sum = 1;
    if (usesFrames) {
      long a = calls + 1L;
      long b = calls + 2L;
      long c = calls + 3L;
      long d = calls + 4L;
      long e = calls + 5L;
      long f = calls + 6L;
      long g = calls + 7L;
      long h = calls + 8L;
      long i = calls + 9L;
      long j = calls + 10L;
      long k = calls + 11L;
      long l = calls + 12L;
      long m = calls + 13L;
      long n = calls + 14L;
      long o = calls + 15L;
      long p = calls + 16L;
      long q = calls + 17L;
      long r = calls + 18L;
      long s = calls + 19L;
      long t = calls + 20L;
      long u = calls + 21L;
      long v = calls + 22L;
      long w = calls + 23L;
      long x = calls + 24L;
      long y = calls + 25L;
      long z = calls + 26L;
      long aa = calls + 27L;
      long bb = calls + 28L;
      long cc = calls + 29L;
      long dd = calls + 30L;
      long ee = calls + 31L;
      long ff = calls + 32L;
      long gg = calls + 33L;
      long hh = calls + 34L;
      long ii = calls + 35L;
      long jj = calls + 36L;
      long kk = calls + 37L;
      long ll = calls + 38L;
      long mm = calls + 39L;
      long nn = calls + 40L;
      long oo = calls + 41L;
      long pp = calls + 42L;
      long qq = calls + 43L;
      long rr = calls + 44L;
      long ss = calls + 45L;
      long tt = calls + 46L;
      long uu = calls + 47L;
      long vv = calls + 48L;
      long ww = calls + 49L;
      long xx = calls + 50L;
      long yy = calls + 51L;
      long zz = calls + 52L;
      sum =
          wide(
              a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa, bb,
              cc, dd, ee, ff, gg, hh, ii, jj, kk, ll, mm, nn, oo, pp, qq, rr, ss, tt, uu, vv, ww,
              xx, yy, zz);
    }
    return calls == 0 ? sum : sum + reach(calls - 1, usesFrames);
  }

  /**
   * Calls itself up to three times, with numbers that no compiler knows: a compiler that inlines
   * this method keeps a call with all arguments.
   */
  private static long wide(
      long a0,
      long a1,
      long a2,
      long a3,
      long a4,
      long a5,
      long a6,
      long a7,
      long a8,
      long a9,
      long b0,
      long b1,
      long b2,
      long b3,
      long b4,
      long b5,
      long b6,
      long b7,
      long b8,
      long b9,
      long c0,
      long c1,
      long c2,
      long c3,
      long c4,
      long c5,
      long c6,
      long c7,
      long c8,
      long c9,
      long d0,
      long d1,
      long d2,
      long d3,
      long d4,
      long d5,
      long d6,
      long d7,
      long d8,
      long d9,
      long e0,
      long e1,
      long e2,
      long e3,
      long e4,
      long e5,
      long e6,
      long e7,
      long e8,
      long e9,
      long f0,
      long f1) {
    return a0 % 4 == 0
        ? a0
        : wide(
            a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, c0, c1, c2,
            c3, c4, c5, c6, c7, c8, c9, d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, e0, e1, e2, e3, e4,
            e5, e6, e7, e8, e9, f0, f1, a0);
  }
}
