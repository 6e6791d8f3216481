/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.util.SplittableRandom;

/**
 * Distributions of the sizes that a service requests. Each is a mixture of bands; within a band,
 * the logarithm of the size is uniform.
 */
@SuppressWarnings("ImmutableEnumChecker") // the arrays are never modified
public enum SizeMix {
  /** 70 % 64 B to 2 KiB, 25 % 2 to 16 KiB, 5 % 16 to 64 KiB; about 4 KiB on average. */
  PROXY(new int[] {64, 2 << 10, 16 << 10, 64 << 10}, new double[] {0.70, 0.25, 0.05}),
  /** 90 % 256 B to 16 KiB, 9 % 16 to 64 KiB, 1 % 64 to 256 KiB; about 8 KiB on average. */
  GATEWAY(new int[] {256, 16 << 10, 64 << 10, 256 << 10}, new double[] {0.90, 0.09, 0.01}),
  /** 16 B to 1 KiB: the size of a program's objects, as in the classical tests of allocators. */
  SMALL(new int[] {16, 1 << 10}, new double[] {1});

  private final int[] bounds;
  private final double[] shares;

  SizeMix(int[] bounds, double[] shares) {
    this.bounds = bounds;
    this.shares = shares;
  }

  /** Returns a sequence of {@code count} sizes in bytes, the same for the same seed. */
  int[] sizes(int count, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int[] sizes = new int[count];
    for (int i = 0; i < count; i++) {
      sizes[i] = next(random);
    }
    return sizes;
  }

  private int next(SplittableRandom random) {
    double at = random.nextDouble();
    int band = 0;
    while (band < shares.length - 1 && at >= shares[band]) {
      at -= shares[band];
      band++;
    }
    double low = Math.log(bounds[band]);
    double high = Math.log(bounds[band + 1]);
    return (int) Math.exp(low + random.nextDouble() * (high - low));
  }
}
