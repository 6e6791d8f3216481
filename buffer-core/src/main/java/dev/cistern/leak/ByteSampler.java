/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Draws allocations by bytes: a Poisson process with one sample in {@code mean} bytes, so that
 * every byte is as likely to be drawn as any other, whatever the sizes. One for each thread cache.
 *
 * <p>A thread that would take more than 500 samples a second, or spend more than 2 ms of a second
 * on them, raises its own interval; each sample is weighed with the interval in force.
 */
public final class ByteSampler {
  /** Bytes after which a thread looks again whether sampling is on. */
  private static final long OFF_RECHECK_BYTES = 64L << 20;

  /** No sample is drawn farther off: counters are added to it, and it must not overflow. */
  private static final double FARTHEST_BYTES = 1L << 60;

  private static final int MEANS_UNTIL_REDRAW = 4;

  private static final long WINDOW_NANOS = 1_000_000_000;
  private static final int MOST_SAMPLES_PER_WINDOW = 500;

  /**
   * Limits the time of samples in a window: 0.2 % of a processor. Drawing and releasing samples
   * cost about an eighth of it in addition, as measured. An event loop is busy for a fraction of a
   * second only, so that this can be 1 % of its CPU time.
   */
  private static final long MOST_NANOS_PER_WINDOW = 2_000_000;

  /** What of that may be saved for a burst, such as the start of a process, where all is cold. */
  private static final long MOST_NANOS_SAVED = 50_000_000;

  /** No sample counts for more: who lost its processor in the midst of one has not used it. */
  private static final long MOST_NANOS_OF_A_SAMPLE = 500_000;

  private static final double MOST_INTERVAL_BYTES = 1L << 40;

  /** The settings that all threads of a pool share. */
  public static final class Sampling {
    /** Bytes, 0 for off. Written by any thread, read by samplers. */
    private volatile long meanBytes;

    /**
     * @param meanBytes bytes between two samples, on average; 0 for off
     */
    public Sampling(long meanBytes) {
      this.meanBytes = meanBytes;
    }

    /** Bytes between two samples, on average, as it is set; 0 for off. */
    public long meanBytes() {
      return meanBytes;
    }

    /**
     * Sets the mean for what is drawn from now on.
     *
     * @throws IllegalArgumentException if {@code mean} is negative
     */
    public void meanBytes(long mean) {
      if (mean < 0) {
        throw new IllegalArgumentException("sampleIntervalBytes: " + mean + " (expected: >= 0)");
      }
      meanBytes = mean;
    }
  }

  private final Sampling sampling;
  private long intervalBytes;
  private long meanDrawnWith;
  private long windowStartNanos;
  private int windowSamples;

  /** Added to by whoever takes a sample, after the lock of a shared cache is given back, too. */
  private final AtomicLong windowSpentNanos = new AtomicLong();

  private long savedNanos = MOST_NANOS_SAVED;

  private final LongSupplier clock;

  /** Draws as {@code sampling} says, which threads share. */
  public ByteSampler(Sampling sampling) {
    this(sampling, System::nanoTime);
  }

  /**
   * As {@link #ByteSampler(Sampling)}.
   *
   * @param clock nanoseconds, as {@link System#nanoTime()}
   */
  public ByteSampler(Sampling sampling, LongSupplier clock) {
    this.sampling = sampling;
    this.clock = clock;
    this.windowStartNanos = clock.getAsLong();
  }

  /** Bytes until the next sample. */
  public long next(RandomGenerator random) {
    long mean = sampling.meanBytes;
    meanDrawnWith = mean;
    if (mean == 0) {
      intervalBytes = 0;
      return OFF_RECHECK_BYTES;
    }
    intervalBytes = Math.max(mean, intervalBytes);
    double uniform = 1.0 - random.nextDouble();
    return (long) Math.min(-Math.log(uniform) * intervalBytes, FARTHEST_BYTES) + 1;
  }

  /**
   * Returns the bytes after which a caller without ticks draws again, after {@link #relax}; 0 if
   * the sample is near or the interval is not raised. Otherwise a thread that has become quiet
   * would keep its raised interval. To draw again is fair at any time: the process has no memory.
   *
   * @param drawnBytes result of {@link #next}
   */
  public long redrawBytes(long drawnBytes) {
    long limit = MEANS_UNTIL_REDRAW * Math.min(meanDrawnWith, (long) FARTHEST_BYTES);
    return intervalBytes > meanDrawnWith && drawnBytes > limit ? limit : 0;
  }

  /** Whether the mean was set anew since the last draw. */
  public boolean isMeanChanged() {
    return sampling.meanBytes != meanDrawnWith;
  }

  /** The interval in force, in bytes; 0 where sampling is off. */
  public long intervalBytes() {
    return intervalBytes;
  }

  /**
   * The bytes that a sample of this size stands for; 0 where sampling is off.
   *
   * @param interval the one in force when the sample was drawn
   */
  public long weigh(int bytes, long interval) {
    if (interval == 0 || sampling.meanBytes == 0) {
      intervalBytes = 0;
      return 0;
    }
    adapt(interval);
    return weight(bytes, interval);
  }

  /** Horvitz and Thompson: a sample counts for its size over the chance of drawing it. */
  public static long weight(int bytes, long interval) {
    return bytes == 0 ? 0 : Math.round(bytes / -Math.expm1(-(double) bytes / interval));
  }

  /** The time, for {@link #spentSince}. */
  public long nanos() {
    return clock.getAsLong();
  }

  /** Says that a sample has taken the calling thread from {@code startNanos} to now. Any thread. */
  public void spentSince(long startNanos) {
    long spent = clock.getAsLong() - startNanos;
    windowSpentNanos.addAndGet(Math.min(spent, MOST_NANOS_OF_A_SAMPLE));
  }

  /**
   * Looks at the rate and the cost after each window of a second, of 500 samples or of the time
   * that these may take, saved time included, whichever ends first. A burst shorter than that is
   * sampled in full: it is when leaks are made.
   */
  private void adapt(long interval) {
    long elapsed = clock.getAsLong() - windowStartNanos;
    if (++windowSamples < MOST_SAMPLES_PER_WINDOW
        && windowSpentNanos.get() < MOST_NANOS_PER_WINDOW + savedNanos
        && elapsed < WINDOW_NANOS) {
      return;
    }
    endWindow(interval, elapsed);
  }

  /** Sets the interval at which a second like this window has as many samples as it may. */
  private void endWindow(long interval, long elapsedNanos) {
    double windows = (double) Math.max(1, elapsedNanos) / WINDOW_NANOS;
    double allowedNanos = windows * MOST_NANOS_PER_WINDOW;
    long spentNanos = windowSpentNanos.getAndSet(0);
    double excess =
        Math.max(windowSamples / windows / MOST_SAMPLES_PER_WINDOW, spentNanos / allowedNanos);
    double fitting = Math.min(interval * excess, MOST_INTERVAL_BYTES);
    intervalBytes = Math.max(sampling.meanBytes, (long) fitting);
    double saved = savedNanos + allowedNanos - spentNanos;
    savedNanos = (long) Math.max(0, Math.min(saved, MOST_NANOS_SAVED));
    windowStartNanos += elapsedNanos;
    windowSamples = 0;
  }

  /**
   * Lowers a raised interval when its window has passed; called on slow paths.
   *
   * @return whether the caller is to draw anew, which is fair at any time: the process has no
   *     memory
   */
  public boolean relax() {
    long elapsed = clock.getAsLong() - windowStartNanos;
    if (intervalBytes <= sampling.meanBytes || elapsed < WINDOW_NANOS) {
      return false;
    }
    endWindow(intervalBytes, elapsed);
    return true;
  }

  @Override
  public @Nullable String toString() {
    return "one sample in " + intervalBytes + " B";
  }
}
