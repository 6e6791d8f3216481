/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import dev.cistern.leak.LeakDetector;
import dev.cistern.leak.LeakStore;
import dev.cistern.leak.LeakTracker;
import dev.cistern.leak.Sample;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Tracks an object for leaks, records several accesses with a hint, and releases it. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class LeakRecordBenchmark {
  private static final String HINT = "a hint";

  /** The number of records that both libraries keep by default. */
  private static final int KEPT = 4;

  private static final Sample SAMPLE = Sample.byCount("direct", Sample.POOLED, 64, 64, 1);

  private final dev.cistern.util.ResourceLeakDetector<Object> ours =
      new dev.cistern.util.ResourceLeakDetector<>(Object.class, 1);
  private final io.netty.util.ResourceLeakDetector<Object> theirs =
      new io.netty.util.ResourceLeakDetector<>(Object.class, 1);

  private final LeakDetector detector =
      new LeakDetector("dev.cistern", new LeakStore(LeakStore.DEFAULT_MAX_ENTRIES, line -> {}));

  /** The number of recorded accesses of an object. */
  @Param({"8", "16"})
  public int records;

  /** Records with Cistern's detector. */
  @Benchmark
  public boolean recordOurs() {
    Object resource = new Object();
    dev.cistern.util.ResourceLeakTracker<Object> tracker = ours.trackForcibly(resource);
    for (int i = 0; i < records; i++) {
      tracker.record(HINT);
    }
    return tracker.close(resource);
  }

  /** Records with Netty's detector. */
  @Benchmark
  public boolean recordNetty() {
    Object resource = new Object();
    io.netty.util.ResourceLeakTracker<Object> tracker = theirs.trackForcibly(resource);
    for (int i = 0; i < records; i++) {
      tracker.record(HINT);
    }
    return tracker.close(resource);
  }

  /** Records with the tracker of Cistern's buffers. */
  @Benchmark
  public boolean recordOfBufferOurs() {
    Object resource = new Object();
    LeakTracker<Object> tracker = detector.track(resource, SAMPLE, KEPT);
    for (int i = 0; i < records; i++) {
      tracker.record(HINT);
    }
    return tracker.close(resource);
  }

  /** Records with Netty's only tracker. */
  @Benchmark
  public boolean recordOfBufferNetty() {
    return recordNetty();
  }
}
