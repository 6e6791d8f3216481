/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import example.leaky.Application;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A process that has gone quiet reports too. */
@Tag("E1")
class LeakPatrolTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final List<String> lines = new CopyOnWriteArrayList<>();

  /** What looked: the log is written by it. */
  private final AtomicReference<Thread> patrolling = new AtomicReference<>();

  private final LeakStore store = new LeakStore(8, this::log);
  private final LeakDetector detector = new LeakDetector("io.netty", store);
  private final LeakPatrol patrol = new LeakPatrol(detector, 10);

  private void log(String line) {
    patrolling.set(Thread.currentThread());
    lines.add(line);
  }

  private void leak(int bytes) {
    detector.track(new Object(), Sample.byBytes("direct", Sample.POOLED, bytes, bytes, bytes));
    patrol.wake();
  }

  @Test
  void withoutAnyFurtherAllocationALeakIsReported() {
    leak(1);
    System.gc();
    await().atMost(LIMIT).until(() -> lines.size() == 1);
    assertThat(patrolling.get().getName()).isEqualTo("cistern-leaks");
    assertThat(patrolling.get().isDaemon()).isTrue();
  }

  @Test
  void theThreadEndsWhenNothingIsWatchedAndAnotherComesWithTheNextSample() {
    leak(1);
    System.gc();
    await().atMost(LIMIT).until(() -> lines.size() == 1);
    Thread first = patrolling.get();
    await().atMost(LIMIT).until(() -> !first.isAlive());
    Application.writeResponse(
        () -> {
          leak(2);
          return null;
        });
    System.gc();
    await().atMost(LIMIT).until(() -> lines.size() == 2);
    assertThat(patrolling.get()).isNotSameAs(first);
  }

  @Test
  void asLongAsSomethingIsWatchedTheThreadStays() {
    Object held = new Object();
    LeakTracker<Object> tracker =
        detector.track(held, Sample.byBytes("direct", Sample.POOLED, 1, 1, 1));
    leak(2);
    System.gc();
    await().atMost(LIMIT).until(() -> lines.size() == 1);
    long manyRounds = System.nanoTime() + Duration.ofSeconds(1).toNanos();
    await().atMost(LIMIT).until(() -> System.nanoTime() - manyRounds > 0);
    assertThat(patrolling.get().isAlive()).isTrue();
    tracker.close(held);
    await().atMost(LIMIT).until(() -> !patrolling.get().isAlive());
    assertThat(lines).hasSize(1);
  }

  @Test
  void anInterruptDoesNotEndIt() {
    Object held = new Object();
    LeakTracker<Object> tracker =
        detector.track(held, Sample.byBytes("direct", Sample.POOLED, 1, 1, 1));
    leak(1);
    System.gc();
    await().atMost(LIMIT).until(() -> lines.size() == 1);
    patrolling.get().interrupt();
    Thread before = patrolling.get();
    Application.writeResponse(
        () -> {
          leak(2);
          return null;
        });
    System.gc();
    await().atMost(LIMIT).until(() -> lines.size() == 2);
    assertThat(patrolling.get()).isSameAs(before);
    tracker.close(held);
  }
}
