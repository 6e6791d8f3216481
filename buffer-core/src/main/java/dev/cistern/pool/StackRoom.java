/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Checks that the calling thread has stack left for a slow path, before that path changes anything.
 *
 * <p>A {@link StackOverflowError} in the middle of a change cannot be undone: the handler needs
 * stack, too. So each slow path that changes several things first makes calls that need more stack
 * than the path does, and change nothing (docs/decisions/0036). The calls take about 30 ns when
 * compiled: no fast path makes them.
 *
 * <p>A JVM checks the stack when it makes a frame, and the size of a frame depends on all code of
 * its method, run or not. So the calls are few, have large frames, and seldom use them: 64 calls of
 * the usual size take 300 ns, because a processor remembers only some 16 addresses to return to.
 */
public final class StackRoom {
  /** Calls in a row. Each takes about 1,100 bytes of stack when interpreted, 450 when compiled. */
  private static final int CALLS = 12;

  /**
   * The frame is used once in so many times: a compiler leaves code out that never runs. A power of
   * two.
   */
  private static final int SELDOM = 16;

  /** Initializing a class at the end of the stack would fail, and the class with it, for good. */
  private static boolean isRandomInitialized;

  private StackRoom() {}

  /**
   * Returns if there is enough stack for any slow path of a pool.
   *
   * @throws StackOverflowError otherwise
   */
  public static void require() {
    int chance = isRandomInitialized ? ThreadLocalRandom.current().nextInt() & (SELDOM - 1) : 0;
    if (reach(CALLS, chance) == 0) {
      throw new AssertionError("the sum of positive numbers is positive");
    }
    if (!isRandomInitialized) {
      ThreadLocalRandom unused = ThreadLocalRandom.current(); // there is room for it now
      isRandomInitialized = true;
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

  /** The variables need stack when interpreted, the arguments of {@link #wide} when compiled. */
  private static long reach(int calls, int chance) {
    long sum = 1;
    if (chance == 0) {
      long a = 1;
      long b = 2;
      long c = 3;
      long d = 4;
      long e = 5;
      long f = 6;
      long g = 7;
      long h = 8;
      long i = 9;
      long j = 10;
      long k = 11;
      long l = 12;
      long m = 13;
      long n = 14;
      long o = 15;
      long p = 16;
      long q = 17;
      long r = 18;
      long s = 19;
      long t = 20;
      long u = 21;
      long v = 22;
      long w = 23;
      long x = 24;
      long y = 25;
      long z = 26;
      long aa = 27;
      long bb = 28;
      long cc = 29;
      long dd = 30;
      long ee = 31;
      long ff = 32;
      long gg = 33;
      long hh = 34;
      long ii = 35;
      long jj = 36;
      long kk = 37;
      long ll = 38;
      long mm = 39;
      long nn = 40;
      long oo = 41;
      long pp = 42;
      long qq = 43;
      long rr = 44;
      long ss = 45;
      long tt = 46;
      long uu = 47;
      long vv = 48;
      long ww = 49;
      long xx = 50;
      long yy = 51;
      long zz = 52;
      sum =
          wide(
              a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa, bb,
              cc, dd, ee, ff, gg, hh, ii, jj, kk, ll, mm, nn, oo, pp, qq, rr, ss, tt, uu, vv, ww,
              xx, yy, zz);
    }
    return calls == 0 ? sum : sum + reach(calls - 1, chance);
  }

  /** Calls itself, so that no compiler can put it into its caller without a call. */
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
    return a0 > 0
        ? a0
        : wide(
            a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, c0, c1, c2,
            c3, c4, c5, c6, c7, c8, c9, d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, e0, e1, e2, e3, e4,
            e5, e6, e7, e8, e9, f0, f1, a0);
  }
}
