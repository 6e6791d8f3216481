/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import dev.cistern.util.concurrent.FastThreadLocal;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/**
 * A sampler of allocations outside pools by bytes, with one {@link ByteSampler} for each thread.
 */
public final class ThreadSampler {
  private final FastThreadLocal<Countdown> countdowns;

  /** Creates a sampler with settings that threads share. */
  public ThreadSampler(ByteSampler.Sampling sampling) {
    this(sampling, System::nanoTime);
  }

  /**
   * Creates a sampler with its own clock, for tests.
   *
   * @param clock nanoseconds, as {@link System#nanoTime()}
   */
  ThreadSampler(ByteSampler.Sampling sampling, LongSupplier clock) {
    countdowns =
        new FastThreadLocal<>() {
          @Override
          protected Countdown initialValue() {
            return new Countdown(sampling, clock);
          }
        };
  }

  /**
   * Counts an allocation by the calling thread.
   *
   * @return the weight of the sample in bytes; 0 if the allocation is no sample
   */
  public long weigh(int bytes) {
    return countdowns.get().weigh(bytes);
  }

  /**
   * Adds a cost for the calling thread, as {@link ByteSampler#spentSince} does, with {@link
   * System#nanoTime}.
   */
  void spentSince(long startNanos) {
    countdowns.get().sampler.spentSince(startNanos);
  }

  /** The countdown of one thread. */
  private static final class Countdown {
    private final ByteSampler sampler;
    private long bytesLeft;

    /** The interval in force; 0 if the end of the countdown is no sample. */
    private long interval;

    Countdown(ByteSampler.Sampling sampling, LongSupplier clock) {
      sampler = new ByteSampler(sampling, clock);
      draw();
    }

    private void draw() {
      long drawn = sampler.next(ThreadLocalRandom.current());
      long redraw = sampler.redrawBytes(drawn);
      bytesLeft = redraw > 0 ? redraw : drawn;
      interval = redraw > 0 ? 0 : sampler.intervalBytes();
    }

    long weigh(int bytes) {
      bytesLeft -= bytes;
      if (bytesLeft > 0) {
        return 0;
      }
      boolean unused = interval == 0 && sampler.relax();
      long weight = interval == 0 ? 0 : sampler.weigh(bytes, interval);
      draw();
      return weight;
    }
  }
}
