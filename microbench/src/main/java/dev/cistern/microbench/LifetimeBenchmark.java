/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * A window of live direct buffers: each operation releases one at random and allocates another in
 * its place. Sizes and places are computed beforehand, so that no random generator is measured.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class LifetimeBenchmark {
  private static final int SEQUENCE = 1 << 17;
  private static final long SEED = 20_261_120;

  /** The number of live buffers. */
  @Param("1024")
  public int live;

  /** The distribution of their sizes. */
  @Param("PROXY")
  public SizeMix mix;

  private final int[] places = new int[SEQUENCE];
  private int[] sizes = {};
  private Object[] window = {};
  private int next;

  /** Fills the window. */
  @Setup
  public void setUp(Allocator allocator) {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < SEQUENCE; i++) {
      places[i] = random.nextInt(live);
    }
    sizes = mix.sizes(SEQUENCE, SEED);
    window = new Object[live];
    for (int i = 0; i < live; i++) {
      window[i] = allocator.subject.direct(sizes[i]);
    }
  }

  /** Releases a buffer and allocates another. */
  @Benchmark
  public boolean replace(Allocator allocator) {
    Subject subject = allocator.subject;
    int at = next++ & (SEQUENCE - 1);
    int place = places[at];
    boolean last = subject.release(window[place]);
    window[place] = subject.direct(sizes[at]);
    return last;
  }

  /** Releases a buffer, then allocates another and records the time of the allocation alone. */
  @Benchmark
  public boolean timedReplace(Allocator allocator, AllocationTimes times) {
    Subject subject = allocator.subject;
    int at = next++ & (SEQUENCE - 1);
    int place = places[at];
    boolean last = subject.release(window[place]);
    long begin = System.nanoTime();
    Object buffer = subject.direct(sizes[at]);
    times.histogram.add(System.nanoTime() - begin);
    window[place] = buffer;
    return last;
  }

  /** Times of single allocations of one thread in one iteration. */
  @AuxCounters(AuxCounters.Type.EVENTS)
  @State(Scope.Thread)
  public static class AllocationTimes {
    static final String P9999 = "p9999";

    private final TimeHistogram histogram = new TimeHistogram();
    private int threads = 1;

    /** Clears the times of the previous iteration. */
    @Setup(Level.Iteration)
    public void clear(BenchmarkParams parameters) {
      histogram.clear();
      threads = parameters.getThreads();
    }

    /**
     * Returns this thread's part of the mean of all threads' 99.99th percentiles, in nanoseconds;
     * JMH adds the parts.
     */
    public double p9999() {
      return histogram.percentile(0.9999) / threads;
    }
  }

  /** Releases all buffers of the window. */
  @TearDown
  public void tearDown(Allocator allocator) {
    for (Object buffer : window) {
      allocator.subject.release(buffer);
    }
  }
}
