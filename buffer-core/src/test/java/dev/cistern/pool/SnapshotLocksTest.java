/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.stats.ArenaStat;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.SizeGroup;
import dev.cistern.testing.Latches;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A snapshot that waits for an arena's lock holds no other lock. */
@Tag("F2")
class SnapshotLocksTest {
  private static final int RUN_BYTES = 64 << 10;
  private static final int HUGE_BYTES = 5 << 20;

  @RegisterExtension final PoolUnderTest under = new PoolUnderTest();

  private final BufferPool pool = under.open(settings -> settings.arenas(2));
  private final CountDownLatch locked = new CountDownLatch(1);
  private final CountDownLatch mayUnlock = new CountDownLatch(1);

  /** Holds the lock of an arena until the test permits the unlock. */
  private void holdLock(int arena) {
    pool.arenas[arena].lock.lock();
    try {
      locked.countDown();
      Latches.await(mayUnlock, 60);
    } finally {
      pool.arenas[arena].lock.unlock();
    }
  }

  private Worker threadOfArena(int arena) throws Exception {
    Worker thread = under.thread();
    thread.run(() -> under.release(under.allocate(pool, 100)));
    assertThat(pool.caches.all().get(pool.caches.all().size() - 1).arena.index).isEqualTo(arena);
    return thread;
  }

  /** Also at the last arena: the locks of the arenas before it must be free. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void noThreadWaitsForASnapshotThatWaitsForAnArena(int arena) throws Exception {
    Worker[] ofArena = {threadOfArena(0), threadOfArena(1)};
    Worker ofTheLocked = ofArena[arena];
    Worker ofTheOther = ofArena[1 - arena];
    threadOfArena(0); // so that the next thread gets the other arena
    if (arena == 1) {
      threadOfArena(1);
    }
    Worker holder = under.thread();
    var holding = holder.submit(() -> holdLock(arena));
    Latches.await(locked);
    long before = 3L + arena;
    FutureTask<PoolSnapshot> snapshot = new FutureTask<>(pool::snapshot);
    Thread reader = new Thread(snapshot, "reader");
    try {
      reader.start();
      await().atMost(20, TimeUnit.SECONDS).until(() -> reader.getState() == Thread.State.WAITING);

      ofTheLocked.run(() -> under.release(under.allocate(pool, 100)));
      ofTheOther.run(() -> under.release(under.allocate(pool, 1000)));
      ofTheOther.run(() -> under.release(under.allocate(pool, RUN_BYTES)));
      ofTheOther.run(() -> under.release(under.allocate(pool, HUGE_BYTES)));
      Block passed = ofTheLocked.call(() -> under.allocate(pool, 100));
      ofTheOther.run(() -> under.release(passed));
      threadOfArena(1 - arena); // a new thread gets its cache
      ofTheOther.run(pool::freeCurrentThreadCache); // and one is retired

      assertThat(reader.getState()).isEqualTo(Thread.State.WAITING);
    } finally {
      mayUnlock.countDown();
    }
    assertThat(snapshot.get(20, TimeUnit.SECONDS).allocations(SizeGroup.SMALL)).isEqualTo(before);
    holding.get(20, TimeUnit.SECONDS);
    reader.join();
    PoolSnapshot after = PoolUnderTest.check(pool);
    assertThat(after.allocations(SizeGroup.SMALL)).isEqualTo(before + 4);
    assertThat(after.get(ArenaStat.LOCK_WAITS, arena)).isOne(); // the reader's
    assertThat(after.get(ArenaStat.LOCK_WAITS, 1 - arena)).isZero();
  }
}
