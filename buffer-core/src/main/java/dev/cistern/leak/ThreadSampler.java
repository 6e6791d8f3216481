/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import dev.cistern.util.concurrent.FastThreadLocal;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Draws allocations by bytes where no pool does: one countdown for each thread ({@link
 * ByteSampler}).
 */
public final class ThreadSampler {
  private final FastThreadLocal<Countdown> countdowns;

  /** Draws as {@code sampling} says. */
  public ThreadSampler(ByteSampler.Sampling sampling) {
    countdowns =
        new FastThreadLocal<>() {
          @Override
          protected Countdown initialValue() {
            return new Countdown(sampling);
          }
        };
  }

  /**
   * Counts an allocation by the calling thread.
   *
   * @return the bytes that it stands for; 0 where it is not drawn
   */
  public long weigh(int bytes) {
    return countdowns.get().weigh(bytes);
  }

  /** As {@link ByteSampler#spentSince}, of the calling thread, by {@link System#nanoTime}. */
  void spentSince(long startNanos) {
    countdowns.get().sampler.spentSince(startNanos);
  }

  /** The countdown of one thread. */
  private static final class Countdown {
    private final ByteSampler sampler;
    private long bytesLeft;
    private long interval;

    Countdown(ByteSampler.Sampling sampling) {
      sampler = new ByteSampler(sampling);
      draw();
    }

    private void draw() {
      bytesLeft = sampler.next(ThreadLocalRandom.current());
      interval = sampler.intervalBytes();
    }

    long weigh(int bytes) {
      bytesLeft -= bytes;
      if (bytesLeft > 0) {
        return 0;
      }
      long weight = sampler.weigh(bytes, interval);
      draw();
      return weight;
    }
  }
}
