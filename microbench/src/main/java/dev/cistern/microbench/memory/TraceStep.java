/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

import java.util.SplittableRandom;

/**
 * One thread's sequence of allocations, the same for each allocator with the same seed. Most
 * buffers are alive for a few steps, some for thousands, a few for hundreds of thousands.
 */
final class TraceStep {
  /** The maximum lifetime of a buffer, in steps. */
  static final int LONGEST = 512 << 10;

  private static final int SHORT = 64;
  private static final int MEDIUM = 8 << 10;
  private static final int LONG = 64 << 10;

  private final SplittableRandom random;
  private final SizeMix sizes;

  /** The requested bytes. */
  int bytes;

  /** The number of steps after which the buffer is released. */
  int lifetime;

  /** Whether another thread releases it. */
  boolean handedOver;

  TraceStep(long seed, SizeMix sizes) {
    this.random = new SplittableRandom(seed);
    this.sizes = sizes;
  }

  /** Moves to the next allocation. */
  void next() {
    bytes = sizes.next(random);
    int draw = random.nextInt(100);
    if (draw < 88) {
      lifetime = 1 + random.nextInt(SHORT);
    } else if (draw < 97) {
      lifetime = SizeMix.logUniform(random, SHORT, MEDIUM);
    } else {
      lifetime = SizeMix.logUniform(random, LONG, LONGEST);
    }
    handedOver = random.nextInt(5) == 0;
  }
}
