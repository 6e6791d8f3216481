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

/** Tests that a process without allocations also reports leaks. */
@Tag("E1")
class LeakDetectorThreadTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final List<String> lines = new CopyOnWriteArrayList<>();

  /** The thread that wrote to the log. */
  private final AtomicReference<Thread> logging = new AtomicReference<>();

  private final LeakStore store = new LeakStore(8, this::log);
  private final LeakDetector detector = new LeakDetector("io.netty", store);
  private final LeakDetectorThread thread = new LeakDetectorThread(detector, 10);

  private void log(String line) {
    logging.set(Thread.currentThread());
    lines.add(line);
  }

  private void leak(int bytes) {
    detector.track(new Object(), Sample.byBytes("direct", Sample.POOLED, bytes, bytes, bytes));
    thread.wake();
  }

  @Test
  void withoutAnyFurtherAllocationALeakIsReported() {
    leak(1);
    System.gc();
    await().atMost(LIMIT).until(() -> lines.size() == 1);
    assertThat(logging.get().getName()).isEqualTo("cistern-leaks");
    assertThat(logging.get().isDaemon()).isTrue();
  }

  @Test
  void theThreadEndsWithoutWatchesAndTheNextSampleStartsAnother() {
    leak(1);
    System.gc();
    await().atMost(LIMIT).until(() -> lines.size() == 1);
    Thread first = logging.get();
    await().atMost(LIMIT).until(() -> !first.isAlive());
    Application.writeResponse(
        () -> {
          leak(2);
          return null;
        });
    System.gc();
    await().atMost(LIMIT).until(() -> lines.size() == 2);
    assertThat(logging.get()).isNotSameAs(first);
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
    assertThat(logging.get().isAlive()).isTrue();
    tracker.close(held);
    await().atMost(LIMIT).until(() -> !logging.get().isAlive());
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
    logging.get().interrupt();
    Thread before = logging.get();
    Application.writeResponse(
        () -> {
          leak(2);
          return null;
        });
    System.gc();
    await().atMost(LIMIT).until(() -> lines.size() == 2);
    assertThat(logging.get()).isSameAs(before);
    tracker.close(held);
  }
}
