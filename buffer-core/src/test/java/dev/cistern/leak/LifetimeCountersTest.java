/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.leak.report.LifetimeReport;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of the lifetimes of released samples, by band. */
class LifetimeCountersTest {
  private final LeakDetector detector = new LeakDetector("io.netty", new LeakStore(8, line -> {}));
  private long nanos = System.nanoTime();

  @BeforeEach
  void useTestClock() {
    detector.clock(() -> nanos);
  }

  private static Sample sample(String memory, int bytes, long weightBytes) {
    return Sample.byBytes(memory, Sample.POOLED, bytes, bytes, weightBytes);
  }

  private LifetimeReport report(String memory) {
    return detector.lifetimes().stream()
        .filter(report -> report.memory().equals(memory))
        .findFirst()
        .orElseThrow();
  }

  private static long released(LifetimeReport report) {
    return report.samples().stream().mapToLong(Long::longValue).sum();
  }

  /** Returns the bands that have samples. */
  private List<String> counts(String memory) {
    List<Long> samples = report(memory).samples();
    return IntStream.range(0, samples.size())
        .filter(band -> samples.get(band) > 0)
        .mapToObj(band -> band + ": " + samples.get(band))
        .toList();
  }

  private void live(Sample sample, long lifetimeNanos) {
    Object buffer = new Object();
    LeakTracker<Object> tracker = detector.track(buffer, sample);
    nanos += lifetimeNanos;
    tracker.close(buffer);
  }

  @Test
  void aBoundIsWithinItsBand() {
    for (int band = 0; band < LifetimeReport.ENDS; band++) {
      int exponent = LifetimeReport.FIRST_EXPONENT + band;
      long bound = (long) (1e9 * Math.pow(2, exponent));
      assertThat(LifetimeReport.band(bound)).isEqualTo(band);
      assertThat(LifetimeReport.band(bound + 1)).isEqualTo(band + 1);
    }
    assertThat(LifetimeReport.band(-1)).isZero();
    assertThat(LifetimeReport.band(Long.MAX_VALUE)).isEqualTo(LifetimeReport.ENDS);
  }

  @Test
  void eachKindOfMemoryHasItsOwnCounters() {
    live(sample("direct", 1_000, 4_000), TimeUnit.MILLISECONDS.toNanos(3));
    live(sample("direct", 1_000, 2_000), TimeUnit.MILLISECONDS.toNanos(2));
    live(sample("heap", 10, 10), TimeUnit.HOURS.toNanos(1));
    assertThat(counts("direct")).containsExactly("2: 2");
    assertThat(report("direct").micros()).isEqualTo(5_000);
    assertThat(counts("heap")).containsExactly("21: 1");
    assertThat(report("heap").micros()).isEqualTo(TimeUnit.HOURS.toMicros(1));
  }

  @Test
  void onlyTheReleaseOfALiveSampleIsALifetime() {
    LeakTracker<Object> leaked = detector.track(new Object(), sample("direct", 1, 1));
    Collected.until(detector, () -> leaked.refersTo(null) && detector.watched() == 0);
    assertThat(leaked.close(this)).isFalse();
    Object buffer = new Object();
    LeakTracker<Object> forgotten = detector.track(buffer, sample("direct", 1, 1));
    assertThat(forgotten.forget(buffer)).isTrue();
    assertThat(forgotten.close(buffer)).isFalse();
    live(Sample.byCount("direct", Sample.POOLED, 1, 1, 128), 1); // not in the live profile
    Object held = new Object();
    LeakTracker<Object> live = detector.track(held, sample("direct", 1, 1));
    assertThat(released(report("direct"))).isZero();
    assertThat(live.close(held)).isTrue();
    assertThat(live.close(held)).isFalse();
    assertThat(released(report("direct"))).isOne();
  }

  @Test
  void countersOnlyGrowWhileThreadsReleaseAndNoReleaseIsMissed() throws InterruptedException {
    int threads = 4;
    int each = 20_000;
    AtomicInteger running = new AtomicInteger(threads);
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    List<Thread> releasing = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      Thread thread =
          new Thread(
              () -> {
                for (int i = 0; i < each; i++) {
                  Object buffer = new Object();
                  detector.track(buffer, sample("heap", 3, 10)).close(buffer);
                }
                running.decrementAndGet();
              });
      thread.setUncaughtExceptionHandler((failed, failure) -> failures.add(failure));
      releasing.add(thread);
      thread.start();
    }
    LifetimeReport before = report("heap");
    while (running.get() > 0 && failures.isEmpty()) {
      LifetimeReport after = report("heap");
      assertThat(after.samples().get(0)).isGreaterThanOrEqualTo(before.samples().get(0));
      before = after;
    }
    for (Thread thread : releasing) {
      thread.join();
    }
    assertThat(failures).isEmpty();
    assertThat(report("heap").samples().get(0)).isEqualTo((long) threads * each);
  }
}
