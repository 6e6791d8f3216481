/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cistern.stats.ArenaStat;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.PoolStat;
import dev.cistern.stats.SizeGroup;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Thread caches: their arenas, budgets, trims and ends. */
class ThreadCacheTest {
  private static final int MIB = 1 << 20;

  @RegisterExtension final PoolUnderTest under = new PoolUnderTest();

  @Test
  @Tag("A2")
  void aNewCacheUsesTheArenaWithTheFewestCaches() throws Exception {
    BufferPool pool = under.open(settings -> settings.arenas(4));
    List<Worker> threads = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      Worker thread = under.thread();
      threads.add(thread);
      thread.run(() -> under.release(under.allocate(pool, 64)));
    }
    assertThat(cachesByArena(pool)).containsExactly(3L, 3L, 3L, 3L);

    // Threads 1, 5 and 9 have the same arena. When they end, new threads get it.
    for (int i : new int[] {1, 5, 9}) {
      threads.get(i).end();
    }
    pool.tick();
    assertThat(cachesByArena(pool)).containsExactly(3L, 0L, 3L, 3L);
    for (int i = 0; i < 2; i++) {
      under.thread().run(() -> under.release(under.allocate(pool, 64)));
    }
    assertThat(cachesByArena(pool)).containsExactly(3L, 2L, 3L, 3L);
  }

  private static List<Long> cachesByArena(BufferPool pool) {
    PoolSnapshot snapshot = pool.snapshot();
    List<Long> caches = new ArrayList<>();
    for (int arena = 0; arena < snapshot.arenas(); arena++) {
      caches.add(snapshot.get(ArenaStat.THREAD_CACHES, arena));
    }
    return caches;
  }

  @Test
  @Tag("A7")
  void runsAreCachedUpToTheBudgetOfTheThread() {
    BufferPool pool = under.open(settings -> settings.idleBytesPerThread(2 * MIB));
    List<Block> blocks = under.allocate(pool, MIB, 5);
    under.release(blocks);
    assertThat(PoolUnderTest.check(pool).cachedBytes()).isEqualTo(2 * MIB);
    under.release(under.allocate(pool, 256 << 10, 3));
    assertThat(PoolUnderTest.check(pool).cachedBytes()).isEqualTo(2 * MIB);

    long misses = pool.snapshot().threadCacheMisses();
    under.allocate(pool, MIB, 2);
    assertThat(pool.snapshot().threadCacheMisses()).isEqualTo(misses);
  }

  @Test
  @Tag("A7")
  void oneRunThatIsLargerThanTheBudgetIsCachedBesideIt() {
    BufferPool pool = under.open(settings -> settings.idleBytesPerThread(2 * MIB));
    List<Block> blocks = under.allocate(pool, 4 * MIB, 2);
    blocks.addAll(under.allocate(pool, 3 * MIB, 1));
    blocks.addAll(under.allocate(pool, MIB, 3));
    under.release(blocks);
    assertThat(PoolUnderTest.check(pool).cachedBytes()).isEqualTo(4 * MIB + 2 * MIB);

    long misses = pool.snapshot().threadCacheMisses();
    for (int i = 0; i < 100; i++) {
      under.release(under.allocate(pool, 4 * MIB));
      under.release(under.allocate(pool, MIB));
    }
    assertThat(pool.snapshot().threadCacheMisses()).isEqualTo(misses);
    pool.trimCurrentThreadCache();
    assertThat(PoolUnderTest.check(pool).cachedBytes()).isZero();
  }

  @Test
  @Tag("A7")
  void aRunOfMoreThanTwiceTheBudgetIsNotCached() {
    BufferPool pool = under.open(settings -> settings.idleBytesPerThread(2 * MIB - 1));
    under.release(under.allocate(pool, 4 * MIB));
    assertThat(PoolUnderTest.check(pool).cachedBytes()).isZero();
  }

  @Test
  @Tag("A7")
  void hugeIsNeverCachedByAThread() {
    BufferPool pool = under.open();
    under.release(under.allocate(pool, 5 * MIB));
    PoolSnapshot snapshot = PoolUnderTest.check(pool);
    assertThat(snapshot.cachedBytes()).isZero();
    assertThat(snapshot.threadCacheRequests()).isZero();
    assertThat(snapshot.hugeCachedBytes()).isEqualTo(5 * MIB);
  }

  @Test
  @Tag("A8")
  void runsReleasedByAnotherThreadAreReusedWithinTheBudget() throws InterruptedException {
    BufferPool pool = under.open(settings -> settings.idleBytesPerThread(2 * MIB));
    List<Block> blocks = under.allocate(pool, 128 << 10, 64);
    under.inOtherThread(() -> under.release(blocks));
    PoolSnapshot idle = PoolUnderTest.check(pool);
    assertThat(idle.pinnedBytes()).isZero();

    under.allocate(pool, 128 << 10, 64);
    assertThat(PoolUnderTest.check(pool).cachedBytes()).isLessThanOrEqualTo(2 * MIB);
  }

  @Test
  void aTickFreesRunsThatOtherThreadsReleasedForAnIdleThread() throws InterruptedException {
    BufferPool pool = under.open(settings -> settings.decayMillis(0));
    List<Block> blocks = under.allocate(pool, 128 << 10, 200);
    under.inOtherThread(() -> under.release(blocks));
    pool.tick();
    PoolSnapshot after = PoolUnderTest.check(pool);
    assertThat(after.reservedBytes()).isZero();
    under.allocate(pool, 128 << 10, 200);
    PoolUnderTest.check(pool);
  }

  @Test
  @Tag("A9")
  void aClassTrimsItselfAfterANumberOfAllocations() {
    BufferPool pool = under.open(settings -> settings.trimIntervalAllocations(64));
    under.release(under.allocate(pool, 256 << 10, 8));
    assertThat(pool.snapshot().cachedBytes()).isEqualTo(2 * MIB);
    for (int i = 0; i < 200; i++) {
      under.release(under.allocate(pool, 256 << 10));
    }
    PoolSnapshot trimmed = PoolUnderTest.check(pool);
    assertThat(trimmed.get(PoolStat.THREAD_CACHE_TRIMS)).isEqualTo(3);
    assertThat(trimmed.cachedBytes()).isEqualTo(256 << 10);
    under.release(under.allocate(pool, 256 << 10, 8));
    assertThat(PoolUnderTest.check(pool).cachedBytes()).isEqualTo(2 * MIB);
  }

  @Test
  @Tag("A9")
  void afterATickACacheTrimsAllItsClassesAfterANumberOfAllocations() {
    BufferPool pool = under.open(settings -> settings.trimIntervalAllocations(64));
    under.release(under.allocate(pool, 256 << 10, 8));
    Block other = under.allocate(pool, 64);
    for (int round = 0; round < 2; round++) {
      pool.tick();
      for (int i = 0; i < 100; i++) { // a slot is free each time
        under.release(under.allocate(pool, 64));
      }
    }
    assertThat(PoolUnderTest.check(pool).cachedBytes()).isLessThan(256 << 10);
    under.release(other);
  }

  @Test
  @Tag("A9")
  void afterATickACacheTrimsAlsoIfItsCurrentGroupsHaveFreeSlots() throws Exception {
    BufferPool pool = under.open();
    List<Block> ofOthers = under.allocate(pool, 1024, 8 << 10);
    List<Block> ofOwner = new ArrayList<>(); // the first of each group
    Set<SlotGroup> groups = new HashSet<>();
    ofOthers.removeIf(block -> groups.add(block.group) && ofOwner.add(block));
    Block other = under.allocate(pool, 64);
    under.release(ofOwner);
    under.inOtherThread(() -> under.release(ofOthers));
    assertThat(PoolUnderTest.check(pool).sum(ArenaStat.RUN_BYTES)).isGreaterThanOrEqualTo(8 * MIB);
    for (int round = 0; round < 2; round++) {
      pool.tick();
      for (int i = 0; i < 2000; i++) { // a slot is free each time
        under.release(under.allocate(pool, 64));
      }
    }
    assertThat(PoolUnderTest.check(pool).sum(ArenaStat.RUN_BYTES)).isLessThan(512 << 10);
    under.release(other);
  }

  @Test
  void aTrimFreesALargeSubpageThatItsClassDoesNotUse() {
    BufferPool pool = under.open();
    List<Block> blocks = under.allocate(pool, 60_000, 2);
    pool.trimCurrentThreadCache();
    pool.trimCurrentThreadCache();
    assertThat(PoolUnderTest.check(pool).subpages()).isOne(); // in use
    under.release(blocks);
    pool.trimCurrentThreadCache();
    assertThat(PoolUnderTest.check(pool).subpages()).isZero();
  }

  @Test
  void aTrimFreesALargeSubpageThatAnotherThreadReleased() throws InterruptedException {
    BufferPool pool = under.open();
    List<Block> blocks = under.allocate(pool, 60_000, 12);
    pool.trimCurrentThreadCache();
    under.inOtherThread(() -> under.release(blocks));
    pool.trimCurrentThreadCache();
    assertThat(PoolUnderTest.check(pool).subpages()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"262144, 8, 1024, 200", "1024, 4096, 262144, 1"})
  void idleMemoryOfOneKindLeavesRoomForTheOther(int idle, int count, int bytes, int inARound) {
    BufferPool pool = under.open();
    under.release(under.allocate(pool, idle, count));
    long misses = pool.snapshot().threadCacheMisses();
    for (int round = 0; round < 100; round++) {
      under.release(under.allocate(pool, bytes, inARound));
    }
    assertThat(PoolUnderTest.check(pool).threadCacheMisses()).isLessThan(misses + 8);
  }

  @Test
  @Tag("A9")
  void aCacheTrimsItselfAfterATick() {
    BufferPool pool = under.open();
    under.release(under.allocate(pool, 256 << 10, 8));
    for (int round = 0; round < 2; round++) {
      pool.tick();
      under.release(under.allocate(pool, 72 << 10, 3));
    }
    assertThat(PoolUnderTest.check(pool).cachedBytes()).isLessThan(256 << 10);
  }

  @Test
  @Tag("A9")
  void anIntervalThatIsNoPowerOfTwoIsRefusedWithTheRightValues() {
    assertThatThrownBy(() -> under.open(settings -> settings.trimIntervalAllocations(1000)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("trimIntervalAllocations: 1000")
        .hasMessageContaining("power of two");
  }

  @Test
  @Tag("A10")
  void tenThousandShortThreadsLeaveReservedFlat() throws InterruptedException {
    BufferPool pool = under.open();
    long peak = 0;
    for (int i = 0; i < 10_000; i++) {
      under.inOtherThread(
          () -> {
            under.release(under.allocate(pool, 1000));
            under.release(under.allocate(pool, 100_000));
          });
      peak = Math.max(peak, pool.snapshot().reservedBytes());
    }
    assertThat(peak).isLessThanOrEqualTo(2L * PoolUnderTest.CHUNK);
    pool.tick();
    PoolSnapshot after = PoolUnderTest.check(pool);
    assertThat(after.threadCaches()).isZero();
    assertThat(after.get(PoolStat.THREAD_CACHES_GIVEN_UP)).isEqualTo(10_000);
    assertThat(after.threadCacheRequests()).isEqualTo(20_000);
  }

  @Test
  @Tag("A10")
  void aThreadCanRetireItsCacheAndContinue() {
    BufferPool pool = under.open();
    Block kept = under.allocate(pool, 500);
    assertThat(pool.freeCurrentThreadCache()).isTrue();
    assertThat(pool.freeCurrentThreadCache()).isFalse();
    assertThat(pool.snapshot().threadCaches()).isZero();
    assertThat(pool.snapshot().cachedBytes()).isZero();

    under.release(kept); // now as by another thread
    assertThat(PoolUnderTest.check(pool).remoteReleases()).isOne();
    under.allocate(pool, 500);
    assertThat(PoolUnderTest.check(pool).threadCaches()).isOne();
  }

  @Test
  @Tag("F2")
  void totalsOutliveTheThreadsThatMadeThem() throws InterruptedException {
    BufferPool pool = under.open();
    under.inOtherThread(() -> under.release(under.allocate(pool, 300, 10)));
    long requests = pool.snapshot().threadCacheRequests();
    long requested = pool.snapshot().get(PoolStat.REQUESTED_BYTES_TOTAL);
    pool.tick();
    assertThat(requests).isEqualTo(10);
    assertThat(pool.snapshot().threadCaches()).isZero();
    assertThat(pool.snapshot().threadCacheRequests()).isEqualTo(requests);
    assertThat(pool.snapshot().get(PoolStat.REQUESTED_BYTES_TOTAL))
        .isEqualTo(requested)
        .isEqualTo(3000);
  }

  @Test
  void withoutThreadCachesThePoolWorksOnSharedOnes() throws InterruptedException {
    BufferPool pool = under.open(settings -> settings.threadCaches(false).sharedCaches(2));
    List<Block> blocks = under.allocate(pool, 3000, 100);
    blocks.addAll(under.allocate(pool, 60_000, 20));
    under.inOtherThread(() -> under.release(blocks));
    PoolSnapshot snapshot = PoolUnderTest.check(pool);
    assertThat(snapshot.threadCaches()).isZero();
    assertThat(snapshot.pinnedBytes()).isZero();
    assertThat(snapshot.deallocations(SizeGroup.SMALL)).isEqualTo(100);
    assertThat(snapshot.deallocations(SizeGroup.NORMAL)).isEqualTo(20);
  }

  @ParameterizedTest
  @ValueSource(ints = {1000, 16 << 10, 64 << 10, MIB})
  @Tag("I1")
  void aPairOnASharedCacheLeavesNothingForLater(int bytes) {
    BufferPool pool = under.open(settings -> settings.threadCaches(false).sharedCaches(1));
    under.release(under.allocate(pool, bytes));
    under.release(under.allocate(pool, bytes)); // the budget has room for one run
    PoolSnapshot before = PoolUnderTest.check(pool);
    for (int i = 0; i < 1000; i++) {
      under.release(under.allocate(pool, bytes));
    }
    PoolSnapshot after = PoolUnderTest.check(pool);
    assertThat(after.remoteReleases()).isEqualTo(before.remoteReleases());
    assertThat(after.threadCacheMisses()).isEqualTo(before.threadCacheMisses());
  }

  @Test
  void aReleaseThatFindsItsSharedCacheInUseIsARemoteOne() throws InterruptedException {
    BufferPool pool = under.open(settings -> settings.threadCaches(false).sharedCaches(1));
    Block block = under.allocate(pool, 1000);
    ThreadCache cache = pool.shared.all().get(0);
    cache.lock.lock();
    try {
      under.inOtherThread(() -> under.release(block));
    } finally {
      cache.lock.unlock();
    }
    PoolSnapshot snapshot = PoolUnderTest.check(pool);
    assertThat(snapshot.remoteReleases()).isOne();
    assertThat(snapshot.pinnedBytes()).isZero();
  }

  @Test
  void aThreadThatFindsEverySharedCacheInUseWaitsAndIsCounted() throws Exception {
    BufferPool pool = under.open(settings -> settings.threadCaches(false).sharedCaches(1));
    ThreadCache cache = pool.shared.all().get(0);
    Future<?> waiting;
    cache.lock.lock();
    try {
      waiting = under.thread().submit(() -> under.release(under.allocate(pool, 1000)));
      await()
          .atMost(20, TimeUnit.SECONDS)
          .until(() -> pool.snapshot().get(PoolStat.SHARED_CACHE_WAITS) == 1);
      assertThat(waiting.isDone()).isFalse();
    } finally {
      cache.lock.unlock();
    }
    waiting.get(20, TimeUnit.SECONDS);
    assertThat(PoolUnderTest.check(pool).get(PoolStat.SHARED_CACHE_WAITS)).isOne();
  }

  @Test
  @Tag("I1")
  void threadsThatShareOneCacheAgreeWithItsCounters() throws Exception {
    BufferPool pool = under.open(settings -> settings.threadCaches(false).sharedCaches(1));
    int[] sizes = {100, 5000, 40_000, 300_000};
    Queue<Block> handedOn = new ConcurrentLinkedQueue<>(under.allocate(pool, 5000, 8));
    List<Future<?>> ends = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      int first = i;
      Runnable task =
          () -> {
            for (int n = 0; n < 20_000; n++) {
              handedOn.add(under.allocate(pool, sizes[(first + n) % sizes.length]));
              under.release(handedOn.remove());
            }
          };
      ends.add(under.thread().submit(task));
    }
    for (Future<?> end : ends) {
      end.get(60, TimeUnit.SECONDS);
    }
    under.release(List.copyOf(handedOn));
    PoolSnapshot snapshot = PoolUnderTest.check(pool);
    assertThat(snapshot.pinnedBytes()).isZero();
    assertThat(snapshot.deallocations(SizeGroup.SMALL)).isEqualTo(40_008);
    assertThat(snapshot.deallocations(SizeGroup.NORMAL)).isEqualTo(40_000);
  }

  @Test
  @Tag("A9")
  void aRunThatIsNeededAgainAndAgainSurvivesTheTrims() {
    BufferPool pool = under.open(settings -> settings.trimIntervalAllocations(64));
    Block other = under.allocate(pool, MIB);
    for (int i = 0; i < 1000; i++) {
      under.release(under.allocate(pool, MIB));
    }
    PoolSnapshot snapshot = PoolUnderTest.check(pool);
    assertThat(snapshot.get(PoolStat.THREAD_CACHE_TRIMS)).isGreaterThan(10);
    assertThat(snapshot.threadCacheMisses()).isEqualTo(2);
    under.release(other);
  }
}
