/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.leak.report.SiteTrend;
import dev.cistern.leak.report.StackDetail;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests of leaks that the garbage collector finds many at a time, in simulated time. */
class LeakDetectorCollectedLeaksTest {
  private static final long SEED = Long.getLong("cistern.seed", 42);

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final LeakDetector detector = new LeakDetector("io.netty", new LeakStore(64, line -> {}));
  private final List<Object> buffers = new ArrayList<>();
  private final List<LeakTracker<?>> trackers = new ArrayList<>();
  private long nanos = System.nanoTime();

  private void leak() {
    Object buffer = new Object();
    buffers.add(buffer);
    trackers.add(
        detector.track(buffer, Sample.byBytes("direct", Sample.POOLED, 1024, 1024, 512 << 10)));
  }

  /** Enqueues the trackers as the garbage collector does. */
  private void collectAll() {
    trackers.forEach(LeakTracker::enqueue);
    trackers.clear();
    buffers.clear();
  }

  /**
   * Returns the second in which the only site, which leaks two samples per second, becomes a
   * suspect.
   */
  private int suspectedAfter(int secondsBetweenCollections) {
    for (int second = 1; second <= 300; second++) {
      for (int tenth = 0; tenth < 10; tenth++) {
        nanos += TimeUnit.MILLISECONDS.toNanos(100);
        if (random.nextInt(5) == 0) {
          leak();
        }
      }
      if (second % secondsBetweenCollections == 0) {
        collectAll();
      }
      detector.tick();
      if (detector.live(0, StackDetail.FRAMES).trends().stream().anyMatch(SiteTrend::isSuspect)) {
        return second;
      }
    }
    return Integer.MAX_VALUE;
  }

  @Test
  void collectedLeaksAreSuspectedAsSoonAsReachableOnes() {
    for (int between : new int[] {1, 3, 7, 12, 20, 30, 400}) {
      LeakDetectorCollectedLeaksTest other = new LeakDetectorCollectedLeaksTest();
      other.detector.clock(() -> other.nanos);
      int seconds = other.suspectedAfter(between);
      System.out.printf("collected every %d s: suspected after %d s%n", between, seconds);
      assertThat(seconds).as("every %d s, seed %d", between, SEED).isLessThanOrEqualTo(60);
    }
  }
}
