/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.rows;

import dev.cistern.util.ResourceLeakDetector;
import dev.cistern.util.ResourceLeakTracker;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Tracks one in 128 objects for leaks, with the detector of each library. The selection is also
 * measured alone: by a mask, as in Cistern, by a bound, as in Netty, and by a modulo.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class SamplingBenchmark {
  private static final Object RESOURCE = new Object();

  private final ResourceLeakDetector<Object> ours = new ResourceLeakDetector<>(Object.class, 128);
  private final io.netty.util.ResourceLeakDetector<Object> theirs =
      new io.netty.util.ResourceLeakDetector<>(Object.class, 128);

  /**
   * The sampling interval. It is not a constant because it is not constant in a detector, either.
   */
  private int interval = 128;

  /** Enables both detectors, because other benchmarks disable them. */
  @Setup
  public void watch() {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.SIMPLE);
    io.netty.util.ResourceLeakDetector.setLevel(io.netty.util.ResourceLeakDetector.Level.SIMPLE);
  }

  /** Tracks with Cistern's detector. */
  @Benchmark
  public boolean askDetectorOurs() {
    ResourceLeakTracker<Object> tracker = ours.track(RESOURCE);
    return tracker != null && tracker.close(RESOURCE);
  }

  /** Tracks with Netty's detector. */
  @Benchmark
  public boolean askDetectorNetty() {
    io.netty.util.ResourceLeakTracker<Object> tracker = theirs.track(RESOURCE);
    return tracker != null && tracker.close(RESOURCE);
  }

  /** Selects by a mask. */
  @Benchmark
  public boolean chooseOurs() {
    return (ThreadLocalRandom.current().nextInt() & interval - 1) == 0;
  }

  /** Selects by a bound. */
  @Benchmark
  public boolean chooseNetty() {
    return ThreadLocalRandom.current().nextInt(interval) == 0;
  }

  /** Selects by a modulo. */
  @Benchmark
  public boolean chooseJdk() {
    return Math.floorMod(ThreadLocalRandom.current().nextInt(), interval) == 0;
  }
}
