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
 * One in 128 objects is watched for leaks (row I9): what it costs to ask either side's detector,
 * and the choice by itself, by a mask as ours does, by a bound as Netty's does, and by a modulo.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class SamplingBenchmark {
  private static final Object RESOURCE = new Object();

  private final ResourceLeakDetector<Object> ours = new ResourceLeakDetector<>(Object.class, 128);
  private final io.netty.util.ResourceLeakDetector<Object> theirs =
      new io.netty.util.ResourceLeakDetector<>(Object.class, 128);

  /** No constant, as it is none in a detector. */
  private int interval = 128;

  /** Other benchmarks switch both off. */
  @Setup
  public void watch() {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.SIMPLE);
    io.netty.util.ResourceLeakDetector.setLevel(io.netty.util.ResourceLeakDetector.Level.SIMPLE);
  }

  /** Asks ours. */
  @Benchmark
  public boolean askDetectorOurs() {
    ResourceLeakTracker<Object> tracker = ours.track(RESOURCE);
    return tracker != null && tracker.close(RESOURCE);
  }

  /** Asks Netty's. */
  @Benchmark
  public boolean askDetectorNetty() {
    io.netty.util.ResourceLeakTracker<Object> tracker = theirs.track(RESOURCE);
    return tracker != null && tracker.close(RESOURCE);
  }

  /** By a mask. */
  @Benchmark
  public boolean chooseOurs() {
    return (ThreadLocalRandom.current().nextInt() & interval - 1) == 0;
  }

  /** By a bound. */
  @Benchmark
  public boolean chooseNetty() {
    return ThreadLocalRandom.current().nextInt(interval) == 0;
  }

  /** By a modulo. */
  @Benchmark
  public boolean chooseJdk() {
    return Math.floorMod(ThreadLocalRandom.current().nextInt(), interval) == 0;
  }
}
