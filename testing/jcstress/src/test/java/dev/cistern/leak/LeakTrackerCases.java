/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.cistern.leak.report.LifetimeReport;
import dev.cistern.leak.report.LiveStack;
import dev.cistern.leak.report.SiteTrend;
import dev.cistern.leak.report.StackDetail;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** The end of a watch, during other calls that end or read it. */
public final class LeakTrackerCases {
  private static final long OLD_NANOS = 11_000_000_000L;
  private static final Sample SAMPLE = Sample.byBytes("direct", Sample.POOLED, 64, 64, 1_000);

  private LeakTrackerCases() {}

  /** A buffer that its own detector watches. */
  static class Watched {
    final LeakDetector detector = new LeakDetector("io.netty", new LeakStore(8, line -> {}));
    final Object buffer = new Object();
    final LeakTracker<Object> tracker = detector.track(buffer, SAMPLE);
  }

  private static int bit(boolean value) {
    return value ? 1 : 0;
  }

  private static int lifetimes(LeakDetector detector) {
    long lifetimes = 0;
    for (LifetimeReport report : detector.lifetimes()) {
      lifetimes += report.samples().stream().mapToLong(Long::longValue).sum();
    }
    return (int) lifetimes;
  }

  private static void checkUnwatched(LeakDetector detector) {
    if (detector.watched() != 0) {
      throw new AssertionError("still watched");
    }
  }

  /** Returns the bytes that the only site has gained; also 0 if it never had an old sample. */
  private static int growthBytes(LeakDetector detector) {
    long bytes = 0;
    for (SiteTrend trend : detector.live(512 << 10, StackDetail.FRAMES).trends()) {
      bytes += trend.minuteBytes();
    }
    return (int) bytes;
  }

  /**
   * Two threads release the last reference, which requires a double release. Closed by each,
   * lifetimes.
   */
  @JCStressTest
  @Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "the second one ended it")
  @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "the first one ended it")
  @Outcome(expect = FORBIDDEN, desc = "it ended twice, or not; or has not one lifetime")
  @State
  public static class TwoCloses extends Watched {
    @Actor
    public void one(III_Result result) {
      result.r1 = bit(tracker.close(buffer));
    }

    @Actor
    public void other(III_Result result) {
      result.r2 = bit(tracker.close(buffer));
    }

    @Arbiter
    public void atRest(III_Result result) {
      result.r3 = lifetimes(detector);
      checkUnwatched(detector);
    }
  }

  /** A release of a buffer that the garbage collector has taken. Leaks found, closed, lifetimes. */
  @JCStressTest
  @Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "released, after a lifetime")
  @Outcome(id = "1, 0, 0", expect = ACCEPTABLE, desc = "leaked")
  @Outcome(expect = FORBIDDEN, desc = "both, or neither")
  @State
  public static class CloseDuringPoll extends Watched {
    /** Enqueues the tracker as the garbage collector does. */
    public CloseDuringPoll() {
      if (!tracker.enqueue()) {
        throw new AssertionError("not enqueued");
      }
    }

    @Actor
    public void detectorThread(III_Result result) {
      result.r1 = detector.poll();
    }

    @Actor
    public void releaser(III_Result result) {
      result.r2 = bit(detector.end(tracker, true));
    }

    @Arbiter
    public void atRest(III_Result result) {
      result.r3 = lifetimes(detector);
      checkUnwatched(detector);
    }
  }

  /**
   * A release while the stack is looked up for the allocation profile. Allocations, live samples.
   */
  @JCStressTest
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "counted once, and released")
  @Outcome(expect = FORBIDDEN, desc = "lost or counted twice, or still live")
  @State
  public static class CloseDuringLookUp extends Watched {
    @Actor
    public void detectorThread() {
      if (detector.tick() != 0) {
        throw new AssertionError("a leak");
      }
    }

    @Actor
    public void releaser() {
      if (!tracker.close(buffer)) {
        throw new AssertionError("not closed");
      }
    }

    @Arbiter
    public void atRest(II_Result result) {
      result.r1 = (int) detector.allocations(StackDetail.FRAMES).total("direct").samples();
      result.r2 = detector.live(512 << 10, StackDetail.FRAMES).stacks().size();
    }
  }

  /** A release while the sample becomes old. Bytes that its site has gained, live samples. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "it departed where it had arrived, or neither")
  @Outcome(expect = FORBIDDEN, desc = "the site keeps bytes that were released")
  @State
  public static class CloseDuringAging extends Watched {
    /** Makes the sample old before the detector has noticed it. */
    public CloseDuringAging() {
      detector.clock(() -> System.nanoTime() + OLD_NANOS);
    }

    @Actor
    public void detectorThread() {
      if (detector.tick() != 0) {
        throw new AssertionError("a leak");
      }
    }

    @Actor
    public void releaser() {
      if (!tracker.close(buffer)) {
        throw new AssertionError("not closed");
      }
    }

    @Arbiter
    public void atRest(II_Result result) {
      result.r1 = growthBytes(detector);
      result.r2 = detector.live(512 << 10, StackDetail.FRAMES).stacks().size();
    }
  }

  /** A report during the release of the sample. Stacks in the report, and afterwards. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "released before")
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "still live")
  @Outcome(expect = FORBIDDEN, desc = "shown twice, or forever")
  @State
  public static class CloseDuringReport extends Watched {
    @Actor
    public void reader(II_Result result) {
      List<LiveStack> shown = detector.live(512 << 10, StackDetail.FRAMES).stacks();
      result.r1 = shown.size();
    }

    @Actor
    public void releaser() {
      if (!tracker.close(buffer)) {
        throw new AssertionError("not closed");
      }
    }

    @Arbiter
    public void atRest(II_Result result) {
      result.r2 = detector.live(512 << 10, StackDetail.FRAMES).stacks().size();
    }
  }
}
