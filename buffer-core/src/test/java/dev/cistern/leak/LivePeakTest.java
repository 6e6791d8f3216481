/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.leak.report.StackDetail;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of the largest estimate of live bytes within the last one to two seconds. */
class LivePeakTest {
  private static final int KIB = 1 << 10;

  private final LeakDetector detector = new LeakDetector("io.netty", new LeakStore(8, line -> {}));
  private long nanos = System.nanoTime();

  @BeforeEach
  void useTestClock() {
    detector.clock(() -> nanos);
  }

  private LeakTracker<Object> track(Object buffer, String memory, String kind, int kibibytes) {
    int bytes = kibibytes * KIB;
    return detector.track(buffer, Sample.byBytes(memory, kind, bytes, bytes, bytes));
  }

  private void pass(long millis) {
    nanos += TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private long peak(String memory) {
    return detector.live(0, StackDetail.FRAMES).detail().peakBytes(memory) / KIB;
  }

  private void burst(int kibibytes) {
    List<Object> buffers = new ArrayList<>();
    List<LeakTracker<Object>> trackers = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      Object buffer = new Object();
      buffers.add(buffer);
      trackers.add(track(buffer, "direct", Sample.POOLED, kibibytes / 10));
    }
    for (int i = 0; i < 10; i++) {
      assertThat(trackers.get(i).close(buffers.get(i))).isTrue();
    }
  }

  @Test
  void aBurstBetweenTwoTicksIsSeenForOneToTwoSeconds() {
    int unused = detector.tick();
    pass(300);
    burst(500);
    assertThat(detector.live(0, StackDetail.FRAMES).total("direct").bytes()).isZero();
    pass(700);
    unused = detector.tick();
    assertThat(peak("direct")).isEqualTo(500);
    assertThat(peak("heap")).isZero();
    pass(999);
    assertThat(peak("direct")).isEqualTo(500);
    pass(1);
    unused = detector.tick();
    assertThat(peak("direct")).isZero();
  }

  @Test
  void aLateTickNeitherHidesABurstNorKeepsIt() {
    burst(500);
    pass(1_500);
    burst(100);
    assertThat(peak("direct")).isEqualTo(500);
    pass(1_200);
    assertThat(peak("direct")).isEqualTo(100);
    pass(60_000);
    assertThat(peak("direct")).isZero();
    burst(50);
    assertThat(peak("direct")).isEqualTo(50);
  }

  @Test
  void liveSamplesAreInEachPeak() {
    Object buffer = new Object();
    LeakTracker<Object> tracker = track(buffer, "heap", Sample.UNPOOLED, 100);
    for (int second = 0; second < 5; second++) {
      pass(1_000);
      assertThat(peak("heap")).isEqualTo(100);
    }
    tracker.moved(300 * KIB, 300 * KIB);
    assertThat(peak("heap")).isEqualTo(300);
    tracker.moved(50 * KIB, 50 * KIB);
    pass(5_000);
    assertThat(peak("heap")).isEqualTo(50);
    assertThat(tracker.forget(buffer)).isTrue();
    assertThat(tracker.close(buffer)).isFalse();
    tracker.moved(900 * KIB, 900 * KIB); // after the end of the watch
    pass(5_000);
    assertThat(peak("heap")).isZero();
  }

  @Test
  void lostSamplesStayInThePeakAndCollectedArraysDoNot() {
    LeakTracker<Object> pooled = track(new Object(), "direct", Sample.POOLED, 64);
    LeakTracker<Object> array = track(new Object(), "heap", Sample.UNPOOLED, 32);
    Collected.until(detector, () -> detector.watched() == 0);
    pass(10_000);
    assertThat(pooled.get()).isNull();
    assertThat(array.get()).isNull();
    assertThat(peak("direct")).isEqualTo(64);
    assertThat(detector.live(0, StackDetail.FRAMES).total("direct").bytes()).isEqualTo(64 * KIB);
    assertThat(peak("heap")).isZero();
  }

  @Test
  void concurrentAdditionsLeaveNothing() throws InterruptedException {
    LivePeak peak = new LivePeak(0);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      threads.add(
          new Thread(
              () -> {
                for (int time = 0; time < 100_000; time++) {
                  peak.add(7, time * 100_000L);
                  peak.add(-7, time * 100_000L);
                }
              }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(peak.peakBytes(TimeUnit.SECONDS.toNanos(10))).isBetween(0L, 28L);
    assertThat(peak.peakBytes(TimeUnit.SECONDS.toNanos(20))).isZero();
  }
}
