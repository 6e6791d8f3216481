/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import dev.cistern.buffer.PooledByteBufAllocator;
import java.util.concurrent.TimeUnit;

/**
 * A thread that only allocates and releases, at a given depth of its stack. {@code perf} measures
 * how much of its time sampling takes (docs/internals/benchmarks.md).
 */
public final class SampledLoop {
  private static final int PAIRS_BETWEEN_LOOKS = 1_000;

  private SampledLoop() {}

  /**
   * Runs the loop.
   *
   * @param arguments bytes of a buffer, frames below the loop, seconds
   */
  public static void main(String[] arguments) {
    int bytes = Integer.parseInt(arguments[0]);
    int frames = Integer.parseInt(arguments[1]);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(arguments[2]));
    System.out.println("pid " + ProcessHandle.current().pid());
    System.out.println(below(frames, bytes, end) + " pairs");
  }

  private static long below(int frames, int bytes, long end) {
    return frames > 0 ? below(frames - 1, bytes, end) : pairs(bytes, end);
  }

  private static long pairs(int bytes, long end) {
    long pairs = 0;
    while (System.nanoTime() < end) {
      for (int i = 0; i < PAIRS_BETWEEN_LOOKS; i++) {
        PooledByteBufAllocator.DEFAULT.directBuffer(bytes).release();
      }
      pairs += PAIRS_BETWEEN_LOOKS;
    }
    return pairs;
  }
}
