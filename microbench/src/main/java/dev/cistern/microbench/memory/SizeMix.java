/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

import java.util.SplittableRandom;

/**
 * Distributions of request sizes, in bytes. Within a part, the logarithm of a size is uniform. Only
 * this package uses these mixes. The timed benchmarks use {@link dev.cistern.microbench.SizeMix};
 * no name is in both.
 */
final class SizeMix {
  /** Headers, and reads and writes of up to a socket buffer: 7 KiB on average. */
  static final SizeMix SOCKET =
      new SizeMix(new int[] {64, 512, 4 << 10, 64 << 10}, new int[] {35, 35, 30});

  /** Small fields, JSON bodies, and occasional uploads: 8 KiB on average. */
  static final SizeMix UPLOADS =
      new SizeMix(new int[] {32, 256, 8 << 10, 64 << 10, 1 << 20}, new int[] {40, 45, 14, 1});

  /**
   * A wide range of sizes up to 1 MiB: about half of the bytes in buffers below 32 KiB, half above.
   */
  static final SizeMix BURST = new SizeMix(new int[] {64, 32 << 10, 1 << 20}, new int[] {98, 2});

  /** A single size. */
  static final SizeMix KIB = new SizeMix(new int[] {1 << 10, 1 << 10}, new int[] {100});

  /** The bounds of the parts: part i is from bounds[i] to bounds[i + 1], both included. */
  private final int[] bounds;

  /** The percentage of the requests in each part. */
  private final int[] percent;

  SizeMix(int[] bounds, int[] percent) {
    this.bounds = bounds;
    this.percent = percent;
  }

  int next(SplittableRandom random) {
    int draw = random.nextInt(100);
    int part = 0;
    while (draw >= percent[part]) {
      draw -= percent[part++];
    }
    return logUniform(random, bounds[part], bounds[part + 1]);
  }

  /** Returns the smallest size of the mix. */
  int least() {
    return bounds[0];
  }

  /** Returns the largest size of the mix. */
  int largest() {
    return bounds[bounds.length - 1];
  }

  /** Returns a number from {@code least} to {@code most} with a uniform logarithm. */
  static int logUniform(SplittableRandom random, int least, int most) {
    double factor = Math.pow((double) most / least, random.nextDouble());
    return Math.min(most, (int) (least * factor));
  }
}
