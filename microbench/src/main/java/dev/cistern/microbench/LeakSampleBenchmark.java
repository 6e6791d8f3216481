/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import dev.cistern.leak.LeakDetector;
import dev.cistern.leak.LeakStore;
import dev.cistern.leak.LeakTracker;
import dev.cistern.leak.Sample;
import dev.cistern.leak.report.AllocationReport;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.StackDetail;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The cost of one sample of the live profile, by the depth of the stack. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class LeakSampleBenchmark {
  private static final Sample SAMPLE =
      Sample.byBytes("direct", Sample.POOLED, 1024, 1024, 512 << 10);

  private final Object buffer = new Object();
  private final LeakDetector detector =
      new LeakDetector("dev.cistern", new LeakStore(LeakStore.DEFAULT_MAX_ENTRIES, line -> {}));

  /** The number of frames of the stack. */
  @Param({"20", "60"})
  public int frames;

  private int below;

  /** Computes how many calls to add to the existing stack. */
  @Setup(Level.Trial)
  public void count() {
    below = Math.max(0, frames - new Throwable().getStackTrace().length);
  }

  /** Takes a sample and releases it before any report resolves its stack. */
  @Benchmark
  public boolean sample() {
    return sample(below);
  }

  private boolean sample(int depth) {
    if (depth > 0) {
      return sample(depth - 1);
    }
    LeakTracker<Object> tracker = detector.track(buffer, SAMPLE);
    return tracker.close(buffer);
  }

  /** Takes a sample, releases it, and resolves its stack for the allocation profile. */
  @Benchmark
  public AllocationReport sampleAndLookUp() {
    return sampleAndLookUp(below);
  }

  private AllocationReport sampleAndLookUp(int depth) {
    if (depth > 0) {
      return sampleAndLookUp(depth - 1);
    }
    LeakTracker<Object> tracker = detector.track(buffer, SAMPLE);
    tracker.close(buffer);
    return detector.allocations(StackDetail.SITE);
  }

  /** Takes a sample and reports it with its stack. */
  @Benchmark
  public LiveReport sampleAndReport() {
    return sampleAndReport(below);
  }

  private LiveReport sampleAndReport(int depth) {
    if (depth > 0) {
      return sampleAndReport(depth - 1);
    }
    LeakTracker<Object> tracker = detector.track(buffer, SAMPLE);
    LiveReport report = detector.live(512 << 10, StackDetail.FRAMES);
    tracker.close(buffer);
    return report;
  }
}
