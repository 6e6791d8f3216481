/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cistern.fixture.FailingHandler;
import dev.cistern.testing.Latches;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of tasks that run at the end of threads. */
@Tag("G3")
class ThreadDeathWatcherTest {
  private final CountDownLatch end = new CountDownLatch(1);

  /** Returns a thread that runs until {@link #end}. */
  private Thread living() {
    Thread thread = new Thread(() -> Latches.await(end, 60));
    thread.start();
    return thread;
  }

  @AfterEach
  void endsByItself() throws InterruptedException {
    end.countDown();
    assertThat(ThreadDeathWatcher.awaitInactivity(30, TimeUnit.SECONDS)).isTrue();
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .doesNotContain("cistern-thread-death-watcher");
  }

  @Test
  void aTaskRunsOnceItsThreadHasEnded() throws InterruptedException {
    Thread thread = living();
    List<Boolean> aliveAtTask = Collections.synchronizedList(new ArrayList<>());
    ThreadDeathWatcher.watch(thread, () -> aliveAtTask.add(thread.isAlive()));
    assertThat(ThreadDeathWatcher.awaitInactivity(50, TimeUnit.MILLISECONDS)).isFalse();
    assertThat(aliveAtTask).isEmpty();
    end.countDown();
    assertThat(ThreadDeathWatcher.awaitInactivity(30, TimeUnit.SECONDS)).isTrue();
    assertThat(aliveAtTask).containsExactly(false);
  }

  @Test
  void aRemovedTaskDoesNotRun() throws InterruptedException {
    Thread thread = living();
    AtomicInteger taken = new AtomicInteger();
    AtomicInteger kept = new AtomicInteger();
    Runnable twice = taken::incrementAndGet;
    ThreadDeathWatcher.watch(thread, twice);
    ThreadDeathWatcher.watch(thread, twice);
    ThreadDeathWatcher.watch(thread, kept::incrementAndGet);
    ThreadDeathWatcher.unwatch(thread, twice);
    ThreadDeathWatcher.unwatch(thread, () -> {}); // no such watch
    end.countDown();
    assertThat(ThreadDeathWatcher.awaitInactivity(30, TimeUnit.SECONDS)).isTrue();
    assertThat(taken).hasValue(1);
    assertThat(kept).hasValue(1);
  }

  @Test
  void theWatchEndsWhenItsLastTaskIsRemoved() throws InterruptedException {
    Thread thread = living();
    Runnable task = () -> {};
    ThreadDeathWatcher.watch(thread, task);
    ThreadDeathWatcher.unwatch(thread, task);
    assertThat(ThreadDeathWatcher.awaitInactivity(30, TimeUnit.SECONDS)).isTrue();
    assertThat(thread.isAlive()).isTrue();
  }

  @Test
  void itStartsAgainAfterItEnded() throws InterruptedException {
    AtomicInteger ran = new AtomicInteger();
    for (int i = 1; i <= 3; i++) {
      CountDownLatch done = new CountDownLatch(1);
      Thread thread = new Thread(() -> Latches.await(done));
      thread.start();
      ThreadDeathWatcher.watch(thread, ran::incrementAndGet);
      done.countDown();
      assertThat(ThreadDeathWatcher.awaitInactivity(30, TimeUnit.SECONDS)).isTrue();
      assertThat(ran).hasValue(i);
    }
  }

  @Test
  void aFailingTaskDoesNotStopFurtherTasks() throws InterruptedException {
    Thread thread = living();
    AtomicInteger ran = new AtomicInteger();
    ThreadDeathWatcher.watch(
        thread,
        () -> {
          Thread.currentThread().interrupt();
          throw new IllegalStateException("on purpose");
        });
    ThreadDeathWatcher.watch(thread, ran::incrementAndGet);
    end.countDown();
    assertThat(ThreadDeathWatcher.awaitInactivity(30, TimeUnit.SECONDS)).isTrue();
    assertThat(ran).hasValue(1);
  }

  @Test
  void aFailingLogDoesNotStopFurtherTasks() throws InterruptedException {
    FailingHandler handler = new FailingHandler(ThreadDeathWatcher.class);
    try {
      aFailingTaskDoesNotStopFurtherTasks();
    } finally {
      handler.close();
    }
    assertThat(handler.records()).isEqualTo(1);
  }

  @Test
  void aTaskMayWatchAnotherThread() throws InterruptedException {
    Thread first = living();
    CountDownLatch secondEnd = new CountDownLatch(1);
    Thread second = new Thread(() -> Latches.await(secondEnd));
    second.start();
    AtomicInteger ran = new AtomicInteger();
    ThreadDeathWatcher.watch(
        first,
        () -> {
          ThreadDeathWatcher.watch(second, ran::incrementAndGet);
          secondEnd.countDown();
        });
    end.countDown();
    assertThat(ThreadDeathWatcher.awaitInactivity(30, TimeUnit.SECONDS)).isTrue();
    assertThat(ran).hasValue(1);
  }

  @Test
  void aThreadThatCannotBeWatchedIsRefused() throws InterruptedException {
    Thread neverStarted = new Thread(() -> {});
    assertThatThrownBy(() -> ThreadDeathWatcher.watch(neverStarted, () -> {}))
        .isInstanceOf(IllegalArgumentException.class);
    neverStarted.start();
    neverStarted.join();
    assertThatThrownBy(() -> ThreadDeathWatcher.watch(neverStarted, () -> {}))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ThreadDeathWatcher.watch(null, () -> {}))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> ThreadDeathWatcher.watch(Thread.currentThread(), null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> ThreadDeathWatcher.unwatch(null, () -> {}))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> ThreadDeathWatcher.awaitInactivity(1, null))
        .isInstanceOf(NullPointerException.class);
  }

  @Test
  void aLateReleaseHappensAtTheEndOfTheThread() throws InterruptedException {
    AbstractReferenceCounted counted =
        new AbstractReferenceCounted() {
          @Override
          protected void deallocate() {}

          @Override
          public ReferenceCounted touch(@Nullable Object hint) {
            return this;
          }
        };
    counted.retain(2);
    Thread thread =
        new Thread(
            () -> {
              assertThat(ReferenceCountUtil.<Object>releaseLater(counted)).isSameAs(counted);
              assertThat(ReferenceCountUtil.<Object>releaseLater(counted, 2)).isSameAs(counted);
              assertThat(ReferenceCountUtil.releaseLater("text")).isEqualTo("text");
              Latches.await(end, 60);
            });
    thread.start();
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> thread.getState() == Thread.State.TIMED_WAITING);
    assertThat(counted.refCnt()).isEqualTo(3);
    end.countDown();
    assertThat(ThreadDeathWatcher.awaitInactivity(30, TimeUnit.SECONDS)).isTrue();
    assertThat(counted.refCnt()).isZero();
    assertThatThrownBy(() -> ReferenceCountUtil.releaseLater("text", 0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
