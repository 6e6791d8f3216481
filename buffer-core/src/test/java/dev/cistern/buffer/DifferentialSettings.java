/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.testing.TestLength;
import java.util.SplittableRandom;

/** The length of the comparisons with Netty, and their seed. */
record DifferentialSettings(String subject, long seed, int operations) {
  private static final int SHORT_OPERATIONS = 150_000;
  private static final int OPERATIONS = 1_000_000;
  private static final int LONG_OPERATIONS = 20_000_000;

  /** Distance of the seeds of two rounds: larger than the number of buffers in a round. */
  private static final long ROUND = 1L << 32;

  static DifferentialSettings of(String subject) {
    long seed = firstSeed(subject);
    System.out.println(subject + ": seed " + seed);
    return of(subject, seed);
  }

  /** Returns the settings of a further round: its seed differs from that of every other round. */
  static DifferentialSettings ofRound(String subject, int round) {
    return of(subject + ", round " + round, firstSeed(subject) + (round + 1L) * ROUND);
  }

  /**
   * Returns the first seed. Only the long run is random: the other runs give the same result each
   * time.
   */
  private static long firstSeed(String subject) {
    return Long.getLong(
        "cistern.seed", TestLength.isLong() ? System.nanoTime() : subject.hashCode());
  }

  private static DifferentialSettings of(String subject, long seed) {
    int normal = TestLength.choose(SHORT_OPERATIONS, OPERATIONS, LONG_OPERATIONS);
    int operations = Integer.getInteger("cistern.differential.operations", normal);
    return new DifferentialSettings(subject, seed, operations);
  }

  /**
   * Returns the random numbers of the n-th buffer. A run that starts with its seed compares it
   * first.
   */
  SplittableRandom random(int n) {
    return new SplittableRandom(seed + n);
  }

  String name(int n) {
    return subject + ", -Dcistern.seed=" + (seed + n);
  }

  void print(long calls, long startNanos) {
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    System.out.printf("%s: %d operations in %.1f seconds%n", subject, calls, seconds);
  }
}
