/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.testing.GarbageCollection;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A group without an owner keeps no thread: neither by its name, nor by a bin or a notice. */
class SlotGroupUnownedTest {
  private static final int SUBPAGE_BYTES = 5000;
  private static final int RUN_BYTES = 300_000;

  @RegisterExtension final PoolUnderTest under = new PoolUnderTest();

  /** Returns a thread that has run a task and has ended, and whose cache has ended, too. */
  private WeakReference<Thread> endedThread(BufferPool pool, Runnable task)
      throws InterruptedException {
    AtomicReference<WeakReference<Thread>> thread = new AtomicReference<>();
    under.inOtherThread(
        () -> {
          thread.set(new WeakReference<>(Thread.currentThread()));
          task.run();
        });
    pool.tick();
    assertThat(pool.caches.all()).isEmpty();
    return thread.get();
  }

  private static void checkUnowned(SlotGroup group, WeakReference<Thread> formerOwner) {
    assertThat(group.owner).isNull();
    assertThat(group.bin).isNull();
    assertThat(group.counters).isNull();
    GarbageCollection.until( // a notice would lead to it
        "the former owner is collected", () -> formerOwner.refersTo(null));
  }

  @Test
  void aFreedRunThatKeepsItsObjectKeepsNoThread() throws InterruptedException {
    BufferPool pool = under.open(settings -> settings.idleBytesPerThread(0));
    AtomicReference<SlotGroup> freed = new AtomicReference<>();
    WeakReference<Thread> owner =
        endedThread(
            pool,
            () -> {
              Block run = under.allocate(pool, RUN_BYTES);
              freed.set(run.group);
              under.release(run);
            });
    SlotGroup group = freed.get();
    assertThat(group.isReusable).isTrue();
    checkUnowned(group, owner);
    Block again = under.allocate(pool, RUN_BYTES);
    assertThat(again.group).isSameAs(group);
    assertThat(group.isOwnedByCaller()).isTrue();
    under.release(again);
  }

  @ParameterizedTest
  @ValueSource(ints = {SUBPAGE_BYTES, RUN_BYTES})
  void anOrphanKeepsNoThread(int bytes) throws InterruptedException {
    BufferPool pool = under.open();
    AtomicReference<Block> held = new AtomicReference<>();
    WeakReference<Thread> owner = endedThread(pool, () -> held.set(under.allocate(pool, bytes)));
    SlotGroup group = held.get().group;
    assertThat(group.remoteState()).isEqualTo(RemoteFreeList.ORPHAN);
    checkUnowned(group, owner);
    under.release(held.get());
  }
}
