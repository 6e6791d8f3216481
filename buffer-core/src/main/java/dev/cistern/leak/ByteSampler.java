/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A sampler of allocations by bytes: a Poisson process with one sample in {@code mean} bytes. Each
 * byte has the same probability, for all sizes of allocations. Each thread cache has one sampler.
 *
 * <p>A thread raises its interval if it would take more than 500 samples or 2 ms in a second. The
 * weight of each sample depends on the interval in force.
 */
public final class ByteSampler {
  /** Bytes after which a thread checks again whether sampling is on. */
  private static final long OFF_RECHECK_BYTES = 64L << 20;

  /** Limit of the bytes until a sample: an addition of counters must not overflow. */
  private static final double MAX_DISTANCE_BYTES = 1L << 60;

  private static final int MEANS_UNTIL_REDRAW = 4;

  private static final long WINDOW_NANOS = 1_000_000_000;
  private static final int MAX_SAMPLES_PER_WINDOW = 500;

  /**
   * Limit of the time of samples in a window: 0.2 % of a processor. The choice and the release of
   * samples cost about an eighth of it in addition, as measured. An event loop is busy for only a
   * fraction of each second, so this can be 1 % of its CPU time.
   */
  private static final long MAX_NANOS_PER_WINDOW = 2_000_000;

  /** Limit of the time saved for a burst, such as the start of a process with cold code. */
  private static final long MAX_SAVED_NANOS = 50_000_000;

  /** Limit of the time of one sample: a preempted thread does not use the processor. */
  private static final long MAX_SAMPLE_NANOS = 500_000;

  private static final double MAX_INTERVAL_BYTES = 1L << 40;

  /** The settings that all threads of a pool share. */
  public static final class Sampling {
    /** The mean in bytes; 0 for off. Any thread writes it, and samplers read it. */
    private volatile long meanBytes;

    /**
     * @param meanBytes bytes between two samples, on average; 0 for off
     */
    public Sampling(long meanBytes) {
      this.meanBytes = meanBytes;
    }

    /** Returns the mean bytes between two samples; 0 for off. */
    public long meanBytes() {
      return meanBytes;
    }

    /**
     * Sets the mean for the next samples.
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

  /**
   * The cost of samples in the window. Threads add to it even without the lock of a shared cache.
   */
  private final AtomicLong windowSpentNanos = new AtomicLong();

  private long savedNanos = MAX_SAVED_NANOS;

  private final LongSupplier clock;

  /** Creates a sampler with settings that threads share. */
  public ByteSampler(Sampling sampling) {
    this(sampling, System::nanoTime);
  }

  /**
   * Creates a sampler with its own clock, for tests.
   *
   * @param clock nanoseconds, as {@link System#nanoTime()}
   */
  public ByteSampler(Sampling sampling, LongSupplier clock) {
    this.sampling = sampling;
    this.clock = clock;
    this.windowStartNanos = clock.getAsLong();
  }

  /** Returns the bytes until the next sample. */
  public long next(RandomGenerator random) {
    long mean = sampling.meanBytes;
    meanDrawnWith = mean;
    if (mean == 0) {
      intervalBytes = 0;
      return OFF_RECHECK_BYTES;
    }
    intervalBytes = Math.max(mean, intervalBytes);
    double uniform = 1.0 - random.nextDouble();
    return (long) Math.min(-Math.log(uniform) * intervalBytes, MAX_DISTANCE_BYTES) + 1;
  }

  /**
   * Returns the bytes after which a caller without ticks calls {@link #relax} and {@link #next}
   * again; 0 if the sample is near or the interval is not raised. Otherwise a thread with few
   * allocations would keep its raised interval. The process is memoryless, so the result stays
   * unbiased.
   *
   * @param drawnBytes result of {@link #next}
   */
  public long redrawBytes(long drawnBytes) {
    long limit = MEANS_UNTIL_REDRAW * Math.min(meanDrawnWith, (long) MAX_DISTANCE_BYTES);
    return intervalBytes > meanDrawnWith && drawnBytes > limit ? limit : 0;
  }

  /** Returns whether the mean has changed since the last call of {@link #next}. */
  public boolean isMeanChanged() {
    return sampling.meanBytes != meanDrawnWith;
  }

  /** Returns the interval in force, in bytes; 0 if sampling is off. */
  public long intervalBytes() {
    return intervalBytes;
  }

  /**
   * Returns the weight in bytes of a sample of this size; 0 if sampling is off.
   *
   * @param interval the interval in force when {@link #next} chose the sample
   */
  public long weigh(int bytes, long interval) {
    if (interval == 0 || sampling.meanBytes == 0) {
      intervalBytes = 0;
      return 0;
    }
    adapt(interval);
    return weight(bytes, interval);
  }

  /** Returns a size divided by the probability of its sample (Horvitz and Thompson). */
  public static long weight(int bytes, long interval) {
    return bytes == 0 ? 0 : Math.round(bytes / -Math.expm1(-(double) bytes / interval));
  }

  /** Returns the time for {@link #spentSince}. */
  public long nanos() {
    return clock.getAsLong();
  }

  /**
   * Adds the time from {@code startNanos} to now to the cost of samples. Any thread can call it.
   */
  public void spentSince(long startNanos) {
    long spent = clock.getAsLong() - startNanos;
    windowSpentNanos.addAndGet(Math.min(spent, MAX_SAMPLE_NANOS));
  }

  /**
   * Checks rate and cost after a second, after 500 samples, or after the time that these may take
   * with the saved time, whichever is first. A shorter burst is sampled in full, because bursts
   * cause leaks.
   */
  private void adapt(long interval) {
    long elapsed = clock.getAsLong() - windowStartNanos;
    if (++windowSamples < MAX_SAMPLES_PER_WINDOW
        && windowSpentNanos.get() < MAX_NANOS_PER_WINDOW + savedNanos
        && elapsed < WINDOW_NANOS) {
      return;
    }
    endWindow(interval, elapsed);
  }

  /** Sets the interval with which a second like this window reaches the limits. */
  private void endWindow(long interval, long elapsedNanos) {
    double windows = (double) Math.max(1, elapsedNanos) / WINDOW_NANOS;
    double allowedNanos = windows * MAX_NANOS_PER_WINDOW;
    long spentNanos = windowSpentNanos.getAndSet(0);
    double excess =
        Math.max(windowSamples / windows / MAX_SAMPLES_PER_WINDOW, spentNanos / allowedNanos);
    double fitting = Math.min(interval * excess, MAX_INTERVAL_BYTES);
    intervalBytes = Math.max(sampling.meanBytes, (long) fitting);
    double saved = savedNanos + allowedNanos - spentNanos;
    savedNanos = (long) Math.max(0, Math.min(saved, MAX_SAVED_NANOS));
    windowStartNanos += elapsedNanos;
    windowSamples = 0;
  }

  /**
   * Lowers a raised interval if its window is over. Slow paths call this.
   *
   * @return whether the caller must call {@link #next} again
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
