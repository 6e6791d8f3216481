/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.cistern.testing.Latches;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Races and inputs at the limits of the fast path. */
class FastPathEdgesTest {
  @RegisterExtension final PoolUnderTest under = new PoolUnderTest();

  /** A subpage has four slots of this size. */
  private static final int FEW_SLOTS = 28 << 10;

  private Bin binOf(BufferPool pool, int bytes) {
    Bin bin = pool.caches.current().bins[pool.sizeClasses.of(bytes)];
    assertThat(bin).isNotNull();
    return bin;
  }

  @Test
  void aSlotFromTheNoticeOfTheCurrentSubpageIsUsed() throws InterruptedException {
    BufferPool pool = under.open();
    long seed = Long.getLong("cistern.seed", System.nanoTime());
    SplittableRandom random = new SplittableRandom(seed);
    AtomicReference<Block> handed = new AtomicReference<>();
    AtomicBoolean end = new AtomicBoolean();
    Thread releaser = new Thread(() -> releaseHanded(handed, end));
    releaser.start();
    List<Block> held = new ArrayList<>();
    try {
      holdAtLeast(12, pool, held);
      Bin bin = binOf(pool, FEW_SLOTS);
      for (int i = 0; i < 100_000; i++) {
        Block remote = takeOneOfFullCurrent(pool, bin, held, random);
        if (remote == null) {
          hold(pool, held);
          continue;
        }
        allocateDuringRelease(pool, remote, handed, held, random);
        for (int p = 0; p < bin.fullGroups.size(); p++) {
          checkFull(bin.fullGroups.get(p), held, i, seed);
        }
        while (held.size() > 14) {
          Block extra = held.remove(held.size() - 1);
          extra.group.release(extra.index);
        }
        holdAtLeast(10, pool, held);
      }
    } finally {
      end.set(true);
      releaser.join();
    }
    held.forEach(block -> block.group.release(block.index));
  }

  private static void releaseHanded(AtomicReference<Block> handed, AtomicBoolean end) {
    while (!end.get()) {
      Block block = handed.get();
      if (block != null) {
        block.group.release(block.index);
        handed.set(null);
      }
    }
  }

  private static void hold(BufferPool pool, List<Block> held) {
    held.add((Block) pool.allocate(FEW_SLOTS));
  }

  private static void holdAtLeast(int count, BufferPool pool, List<Block> held) {
    while (held.size() < count) {
      hold(pool, held);
    }
  }

  /** Releases a block, fills the current subpage, and returns a held block of it, if any. */
  private static @Nullable Block takeOneOfFullCurrent(
      BufferPool pool, Bin bin, List<Block> held, SplittableRandom random) {
    Block own = held.remove(random.nextInt(held.size()));
    own.group.release(own.index);
    while (bin.current.hasFree()) {
      hold(pool, held);
    }
    Block taken = null;
    for (Block block : held) {
      taken = block.group == bin.current ? block : taken;
    }
    held.remove(taken);
    return taken;
  }

  /** Another thread releases a block of the full current subpage while this thread allocates. */
  private static void allocateDuringRelease(
      BufferPool pool,
      Block remote,
      AtomicReference<Block> handed,
      List<Block> held,
      SplittableRandom random) {
    handed.set(remote);
    for (int spin = random.nextInt(60); spin > 0; spin--) {
      Thread.onSpinWait();
    }
    hold(pool, held);
    while (handed.get() != null) {
      Thread.onSpinWait();
    }
  }

  private static void checkFull(SlotGroup full, List<Block> held, int round, long seed) {
    if (!full.hasFree()) {
      return;
    }
    int free = full.countFree();
    int counted = full.freeWhenNotCurrent();
    List<Block> there = new ArrayList<>(held);
    there.removeIf(block -> block.group != full);
    int inUse = there.size();
    Block one = there.get(0);
    held.remove(one);
    one.group.release(one.index);
    throw new AssertionError(
        "full group with free slots in round "
            + round
            + ": free "
            + free
            + ", counted "
            + counted
            + ", in use "
            + inUse
            + "; after one release: dead "
            + full.isFreed()
            + ", idle "
            + full.isIdle
            + ", in use "
            + (inUse - 1)
            + ", seed "
            + seed);
  }

  @ParameterizedTest
  @ValueSource(ints = {4 << 10, 8 << 10, 64 << 10})
  void everyRequestAtTheEdgeOfAPageGetsTheSmallestSlotThatHoldsIt(int pageBytes) {
    int chunkBytes = 32 * pageBytes;
    BufferPool pool = under.open(settings -> settings.pageBytes(pageBytes).chunkBytes(chunkBytes));
    for (int pages = 0; pages <= 32; pages++) {
      for (int near = -1; near <= 1; near++) {
        int bytes = pages * pageBytes + near;
        if (bytes >= 0 && bytes <= chunkBytes) {
          for (int time = 0; time < 2; time++) { // the second finds the class's bin
            Block block = under.allocate(pool, bytes);
            assertThat(block.group.slotBytes()).as("%d B", bytes).isEqualTo(smallest(pool, bytes));
            under.release(block);
          }
        }
      }
    }
  }

  private static int smallest(BufferPool pool, int bytes) {
    int sizeClass = 0;
    while (pool.sizeClasses.bytes(sizeClass) < bytes) {
      sizeClass++;
    }
    return pool.sizeClasses.bytes(sizeClass);
  }

  @Test
  void aNegativeSizeIsRefusedEvenIfSlotsAreFree() {
    BufferPool pool = under.open();
    under.release(under.allocate(pool, 16));
    for (int bytes : new int[] {-1, -15, -16, -100, -8191, -8192, Integer.MIN_VALUE}) {
      assertThatIllegalArgumentException().as("" + bytes).isThrownBy(() -> pool.allocate(bytes));
    }
  }

  /** A thread that returns another thread's id. */
  private static final class Named extends Thread {
    private final long id;

    Named(Runnable task, long id) {
      super(task);
      this.id = id;
    }

    @Override
    public long getId() {
      return id;
    }
  }

  private static void run(Thread thread) throws InterruptedException {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    thread.setUncaughtExceptionHandler((ended, thrown) -> failure.set(thrown));
    thread.start();
    thread.join();
    if (failure.get() != null) {
      throw new AssertionError(failure.get());
    }
  }

  @Test
  void aThreadWithANegativeIdUsesASharedCache() throws InterruptedException {
    BufferPool pool = under.open(settings -> settings.threadCaches(false));
    run(new Named(() -> under.release(under.allocate(pool, 100)), -3));
  }

  /** A thread that returns another id each time. */
  private static final class Restless extends Thread {
    private long id;

    Restless(Runnable task) {
      super(task);
    }

    @Override
    public long getId() {
      return id++;
    }
  }

  @Test
  void aThreadThatChangesItsIdHasOneCacheAndLeavesNothingBehind() throws InterruptedException {
    BufferPool pool = under.open();
    run(
        new Restless(
            () -> {
              for (int round = 0; round < 1000; round++) {
                List<Block> blocks = under.allocate(pool, 4096, 20);
                under.release(blocks);
              }
              assertThat(pool.caches.all()).hasSize(1);
            }));
    pool.tick();
    assertThat(pool.caches.all()).isEmpty();
    assertThat(cachesInTable(pool)).as("rows of threads").isZero();
  }

  @Test
  void threadsOfOnePlaceHaveARowEachUntilTheyEnd() throws Exception {
    BufferPool pool = under.open();
    Worker lasting = under.thread();
    Thread itself = lasting.call(Thread::currentThread);
    lasting.run(() -> under.release(under.allocate(pool, 100)));
    CountDownLatch ready = new CountDownLatch(3);
    CountDownLatch end = new CountDownLatch(1);
    List<Thread> others = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      Runnable task =
          () -> {
            under.release(under.allocate(pool, 100));
            ready.countDown();
            Latches.await(end);
          };
      others.add(new Named(task, itself.getId() + 4096L * i));
    }
    others.forEach(Thread::start);
    Latches.await(ready);
    assertThat(cachesInTable(pool)).isEqualTo(4);
    end.countDown();
    for (Thread other : others) {
      other.join();
    }
    pool.tick();
    assertThat(cachesInTable(pool)).isEqualTo(1);
    assertThat(pool.caches.table.currentGroups()[ThreadTable.place(itself)])
        .isSameAs(cacheOf(pool, itself).current);
  }

  @Test
  void threadsBeyondTheTableShareCaches() throws Exception {
    BufferPool pool = under.open(settings -> settings.maintenanceThread(false));
    List<Thread> threads = new ArrayList<>();
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch ready = new CountDownLatch(ThreadTable.MAX_CACHES + 10);
    for (int i = 0; i < ThreadTable.MAX_CACHES + 10; i++) {
      Thread thread =
          new Thread(
              null,
              () -> {
                under.release(under.allocate(pool, 100));
                ready.countDown();
                Latches.await(end, 60);
              },
              "many",
              64 << 10);
      thread.start();
      threads.add(thread);
    }
    Latches.await(ready, 60);
    assertThat(pool.threadCacheCount()).isEqualTo(ThreadTable.MAX_CACHES);
    end.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    pool.tick();
    assertThat(pool.threadCacheCount()).isZero();
    assertThat(cachesInTable(pool)).isZero();
  }

  private static long cachesInTable(BufferPool pool) {
    return Arrays.stream(pool.caches.table.caches).filter(Objects::nonNull).count();
  }

  private static ThreadCache cacheOf(BufferPool pool, Thread thread) {
    for (ThreadCache cache : pool.caches.all()) {
      if (cache.owner == thread) {
        return cache;
      }
    }
    throw new AssertionError("no cache");
  }

  @Test
  void anIdleSubpageIsCountedOnce() {
    BufferPool pool = under.open();
    List<Block> blocks = under.allocate(pool, 4096, 17);
    SlotGroup first = blocks.get(0).group;
    under.release(blocks);
    assertThat(first.isIdle).isTrue();
    new RemoteFreeNotice(first.bin, first).send(); // as a notice that its sender sent late
    Bin bin = first.bin;
    assertThat(bin.cache.idleBytes[0]).isEqualTo(first.bytes());
    bin.trim();
    bin.trim();
    assertThat(bin.cache.idleBytes[0]).isZero();
  }

  @Test
  void allClassesTakeUpANewMeanTogether() {
    BufferPool pool = under.open();
    under.release(under.allocate(pool, 64));
    under.release(under.allocate(pool, 4096));
    pool.sampleIntervalBytes(1024);
    for (long sum = 0; sum <= 64L << 20; sum += 4096) {
      ((Block) pool.allocate(4096)).release();
    }
    long before = under.binder.samples.sum();
    for (int i = 0; i < 16384; i++) {
      ((Block) pool.allocate(64)).release(); // 1 MiB, a thousand samples
    }
    assertThat(under.binder.samples.sum() - before).isPositive();
  }
}
