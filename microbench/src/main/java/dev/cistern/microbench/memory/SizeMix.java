/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

import java.util.SplittableRandom;

/**
 * Sizes of requests, in bytes. Within a part, the logarithm of a size is uniform. These are the
 * mixes of this package alone: the timed benchmarks have others, {@link
 * dev.cistern.microbench.SizeMix}, and no name is in both.
 */
final class SizeMix {
  /** Headers, and reads and writes of up to a socket buffer: 7 KiB on average. */
  static final SizeMix SOCKET =
      new SizeMix(new int[] {64, 512, 4 << 10, 64 << 10}, new int[] {35, 35, 30});

  /** Small fields, JSON bodies, and now and then an upload: 8 KiB on average. */
  static final SizeMix UPLOADS =
      new SizeMix(new int[] {32, 256, 8 << 10, 64 << 10, 1 << 20}, new int[] {40, 45, 14, 1});

  /** Everything: about half of the bytes below 32 KiB, half above, up to 1 MiB. */
  static final SizeMix BURST = new SizeMix(new int[] {64, 32 << 10, 1 << 20}, new int[] {98, 2});

  /** One size. */
  static final SizeMix KIB = new SizeMix(new int[] {1 << 10, 1 << 10}, new int[] {100});

  /** Bounds of the parts: part i is from bounds[i] to bounds[i + 1], both included. */
  private final int[] bounds;

  /** Percent of the requests in each part. */
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

  /** The least size of the mix. */
  int least() {
    return bounds[0];
  }

  /** The largest size of the mix. */
  int largest() {
    return bounds[bounds.length - 1];
  }

  /** A number from {@code least} to {@code most}, its logarithm uniform. */
  static int logUniform(SplittableRandom random, int least, int most) {
    double factor = Math.pow((double) most / least, random.nextDouble());
    return Math.min(most, (int) (least * factor));
  }
}
