/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.memory.MemoryKind;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.PoolStat;
import dev.cistern.testing.Latches;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The memory of a sleeping thread is freed, and its next operations are correct. */
@Tag("A9")
@Tag("A10")
class IdleCacheTest {
  private static final int MIB = 1 << 20;
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final int[] SIZES = {40, 300, 1024, 5000, 20_000, 40_000, 300_000, MIB};

  @RegisterExtension final PoolUnderTest under = new PoolUnderTest();

  private BufferPool open() {
    return under.open(settings -> settings.idleCacheMillis(1));
  }

  private static long revoked(BufferPool pool) {
    return pool.snapshot().get(PoolStat.THREAD_CACHES_REVOKED);
  }

  private static void tickUntilRevoked(BufferPool pool, long caches) {
    await()
        .atMost(SOON)
        .pollInterval(Duration.ofMillis(2))
        .until(
            () -> {
              pool.tick();
              return revoked(pool) >= caches;
            });
    assertThat(revoked(pool)).isEqualTo(caches);
  }

  /** The threads that release a burst. */
  enum Releaser {
    OWNER,
    OWNER_IN_RANDOM_ORDER,
    OTHERS,
    OWNER_AND_OTHERS
  }

  @ParameterizedTest
  @EnumSource
  void aBurstLeavesOneChunkWhicheverThreadReleasesIt(Releaser releaser) throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    BufferPool pool = open();
    int threads = 4;
    for (int i = 0; i < threads; i++) {
      Worker thread = under.thread();
      List<Block> blocks = thread.call(() -> burst(pool, random));
      release(releaser, blocks, thread, random);
    }
    tickUntilRevoked(pool, threads);
    PoolSnapshot idle = PoolUnderTest.check(pool);
    assertThat(idle.pinnedBytes()).as("seed %d", seed).isZero();
    assertThat(idle.cachedBytes()).as("seed %d", seed).isZero();
    assertThat(idle.reservedBytes()).as("seed %d", seed).isLessThanOrEqualTo(PoolUnderTest.CHUNK);
    assertThat(idle.threadCaches()).isZero();
  }

  private List<Block> burst(BufferPool pool, Random random) {
    List<Block> blocks = new ArrayList<>();
    for (long bytes = 0; bytes < 24 * MIB; ) {
      int size = SIZES[random.nextInt(SIZES.length)];
      blocks.add(under.allocate(pool, size));
      bytes += size;
    }
    return blocks;
  }

  private void release(Releaser releaser, List<Block> blocks, Worker owner, Random random)
      throws Exception {
    if (releaser != Releaser.OWNER) {
      Collections.shuffle(blocks, random);
    }
    int byOthers =
        switch (releaser) {
          case OTHERS -> blocks.size();
          case OWNER_AND_OTHERS -> blocks.size() / 2;
          default -> 0;
        };
    under.inOtherThread(() -> under.release(blocks.subList(0, byOthers)));
    owner.run(() -> under.release(blocks.subList(byOthers, blocks.size())));
  }

  @Test
  void buffersInUseStayValidAndCanBeReleasedByAnyThread() throws Exception {
    BufferPool pool = open();
    Worker thread = under.thread();
    List<Block> blocks = new ArrayList<>();
    thread.run(
        () -> {
          for (int size : SIZES) {
            List<Block> some = under.allocate(pool, size, 6);
            under.release(some.subList(0, 2));
            blocks.addAll(some.subList(2, 6));
          }
        });
    tickUntilRevoked(pool, 1);
    PoolUnderTest.check(pool);
    List<Block> half = blocks.subList(0, blocks.size() / 2);
    thread.run(() -> under.release(half));
    under.inOtherThread(() -> under.release(blocks.subList(half.size(), blocks.size())));
    PoolSnapshot after = PoolUnderTest.check(pool);
    assertThat(after.pinnedBytes()).isZero();
    assertThat(after.reservedBytes()).isLessThanOrEqualTo(PoolUnderTest.CHUNK);
    assertThat(after.remoteReleases()).isEqualTo(blocks.size());
  }

  @Test
  void fewLongLivedBuffersOfOneSizePinUpToTwiceTheirSize() throws Exception {
    long seed = System.nanoTime();
    PoolSnapshot after = oneInAHundredStays(600_000, new Random(seed), random -> 1024);
    assertThat(after.pinnedBytes()).as("seed %d", seed).isGreaterThan(4 * MIB);
    assertThat(after.reservedBytes())
        .as("seed %d, pinned %d", seed, after.pinnedBytes())
        .isLessThanOrEqualTo(2 * after.pinnedBytes());
  }

  /**
   * With mixed sizes, more than twice the size stays: each of 45 classes keeps subpages, and each
   * arena chunks, for the few slots in use that are there, because no buffer ever moves. The kept
   * memory is small (some 4 MiB), so one chunk more or less matters.
   */
  @Test
  void fewBuffersOfMixedSizesPinLittleMoreThanTwiceTheirSize() throws Exception {
    long seed = System.nanoTime();
    PoolSnapshot after =
        oneInAHundredStays(
            60_000,
            new Random(seed),
            random -> (int) (32 * Math.pow(1 << 11, random.nextDouble()))); // up to 64 KiB
    assertThat(after.pinnedBytes()).as("seed %d", seed).isGreaterThan(4 * MIB);
    assertThat(after.reservedBytes())
        .as("seed %d, pinned %d", seed, after.pinnedBytes())
        .isLessThanOrEqualTo(5 * after.pinnedBytes() / 2 + MIB);
  }

  /** The other blocks are allocated and released in random order; at the end all are released. */
  private PoolSnapshot oneInAHundredStays(int small, Random random, ToIntFunction<Random> nextBytes)
      throws Exception {
    BufferPool pool = under.open(settings -> settings.idleCacheMillis(1).chunkBytes(MIB));
    Worker thread = under.thread();
    int window = 256;
    thread.run(
        () -> {
          Block[] passing = new Block[window];
          int ofSmall = pool.sizeClasses.smallCount();
          for (int i = 0, count = 0; count < small; i++) {
            int bytes = nextBytes.applyAsInt(random);
            int place = random.nextInt(window);
            if (i % 100 != 0 && passing[place] != null) {
              under.release(passing[place]);
            }
            passing[place] = under.allocate(pool, bytes);
            count += pool.sizeClasses.of(bytes) < ofSmall ? 1 : 0;
          }
          for (Block block : passing) {
            under.release(block);
          }
        });
    tickUntilRevoked(pool, 1);
    PoolSnapshot after = PoolUnderTest.check(pool);
    System.out.printf(
        "pinned %d, reserved %d: %.2f%n",
        after.pinnedBytes(),
        after.reservedBytes(),
        (double) after.reservedBytes() / after.pinnedBytes());
    return after;
  }

  @Test
  void theThreadContinuesWithAnotherCacheAndTheTotalsStay() throws Exception {
    BufferPool pool = open();
    Worker thread = under.thread();
    Block kept = thread.call(() -> under.allocate(pool, 1000, 3).get(1));
    thread.run(() -> under.release(under.allocate(pool, 40_000)));
    tickUntilRevoked(pool, 1);
    assertThat(pool.snapshot().threadCacheRequests()).isEqualTo(4);
    thread.run(() -> under.release(under.allocate(pool, 1000)));
    assertThat(PoolUnderTest.check(pool).threadCaches()).isOne();
    assertThat(pool.snapshot().threadCacheRequests()).isEqualTo(5);
    thread.run(() -> under.release(kept));
    PoolUnderTest.check(pool);
  }

  @Test
  void aThreadThatDoesLittleKeepsLittle() throws Exception {
    BufferPool pool = open();
    Worker thread = under.thread();
    thread.run(() -> under.release(under.allocate(pool, 256 << 10, 8)));
    thread.run(() -> under.release(under.allocate(pool, 1000, 400)));
    await()
        .atMost(SOON)
        .until(
            () -> {
              thread.run(() -> under.release(under.allocate(pool, 64)));
              pool.tick();
              return revoked(pool) > 0;
            });
    long before = revoked(pool);
    for (int i = 0; i < 20; i++) {
      thread.run(() -> under.release(under.allocate(pool, 64)));
      pool.tick();
    }
    // The little memory that it needs is not reclaimed again and again.
    assertThat(revoked(pool)).isEqualTo(before);
    assertThat(PoolUnderTest.check(pool).cachedBytes()).isLessThanOrEqualTo(64 << 10);
  }

  @Test
  void aThreadThatSleepsAfterItDidLittleKeepsNothing() throws Exception {
    BufferPool pool = open();
    Worker thread = under.thread();
    for (int i = 0; i < 20; i++) {
      thread.run(() -> under.release(under.allocate(pool, 64)));
      pool.tick();
    }
    assertThat(revoked(pool)).isZero();
    tickUntilRevoked(pool, 1);
    assertThat(PoolUnderTest.check(pool).cachedBytes()).isZero();
  }

  @Test
  void aThreadThatOnlyReleasesBuffersOfOtherCachesLosesItsCache() throws Exception {
    BufferPool pool = open();
    Worker thread = under.thread();
    Worker other = under.thread();
    thread.run(() -> under.release(under.allocate(pool, 256 << 10, 8)));
    await()
        .atMost(SOON)
        .until(
            () -> {
              List<Block> blocks = other.call(() -> under.allocate(pool, 64, 2000));
              thread.run(() -> under.release(blocks));
              pool.tick();
              return revoked(pool) > 0;
            });
    assertThat(PoolUnderTest.check(pool).threadCaches()).isOne();
    assertThat(pool.snapshot().cachedBytes()).isLessThan(256 << 10);
  }

  @Test
  void sleepingThreadsLoseTheirCachesBeforeBusyOnesIfMemoryIsShort() throws Exception {
    BufferPool pool = under.open(settings -> settings.idleCacheMillis(60_000).arenas(1));
    List<Worker> busy = new ArrayList<>();
    for (int i = 0; i < 64; i++) { // as many as one round takes
      busy.add(under.thread());
    }
    Worker asleep = under.thread();
    asleep.run(() -> under.release(under.allocate(pool, 64)));
    for (Worker thread : busy) {
      thread.run(() -> under.release(under.allocate(pool, 20_000)));
    }
    assertThat(PoolUnderTest.check(pool).threadCaches()).isEqualTo(65);
    for (ThreadCache cache : pool.caches.live) { // a check
      assertThat(cache.idleState.isIdle(cache, System.nanoTime(), Long.MAX_VALUE)).isFalse();
    }
    for (Worker thread : busy) {
      thread.run(
          () -> {
            for (int i = 0; i < 600; i++) {
              under.release(under.allocate(pool, 20_000));
            }
          });
    }
    await().atMost(SOON).until(() -> busy.stream().allMatch(Worker::isWaiting));
    pool.maintenance.lock.lock();
    try {
      assertThat(pool.maintenance.idle.tryFreeByTakingAll()).isTrue();
    } finally {
      pool.maintenance.lock.unlock();
    }
    PoolSnapshot after = PoolUnderTest.check(pool);
    assertThat(after.threadCaches()).isOne();
    assertThat(after.sizeClassCachedSlots(pool.sizeClasses.of(64))).isZero();
  }

  @Test
  void aThreadThatWorkedIsCheckedAgainWithoutAPause() throws Exception {
    BufferPool pool = open();
    Worker thread = under.thread();
    thread.run(() -> under.release(under.allocate(pool, 64)));
    ThreadCache cache = pool.caches.live.get(0);
    for (int i = 0; i < 10; i++) {
      cache.idleState.failed();
    }
    assertThat(cache.idleState.isPaused()).isTrue();
    thread.run(
        () -> {
          for (int i = 0; i < 2000; i++) {
            under.release(under.allocate(pool, 64));
          }
        });
    assertThat(cache.idleState.isIdle(cache, System.nanoTime(), Long.MAX_VALUE)).isFalse();
    assertThat(cache.idleState.isPaused()).isFalse();
  }

  @Test
  void aThreadThatWorksKeepsItsCache() throws Exception {
    BufferPool pool = open();
    Worker thread = under.thread();
    for (int i = 0; i < 20; i++) {
      thread.run(
          () -> {
            for (int n = 0; n < 1000; n++) {
              under.release(under.allocate(pool, 64));
            }
          });
      pool.tick();
    }
    assertThat(revoked(pool)).isZero();
    assertThat(PoolUnderTest.check(pool).threadCaches()).isOne();
  }

  @Test
  void noCacheIsRevokedIfRevocationIsOff() throws Exception {
    BufferPool pool = under.open(settings -> settings.idleCacheMillis(0));
    under.thread().run(() -> under.release(under.allocate(pool, 64)));
    for (int i = 0; i < 20; i++) {
      pool.tick();
      LockSupport.parkNanos(100_000);
    }
    assertThat(PoolUnderTest.check(pool).threadCaches()).isOne();
  }

  @Test
  void theIdleTimeIsTheDecayTimeUnlessItIsSet() {
    assertThat(settings(b -> {}).idleCacheMillis()).isEqualTo(10_000);
    assertThat(settings(b -> b.decayMillis(77)).idleCacheMillis()).isEqualTo(77);
    assertThat(settings(b -> b.decayMillis(77).idleCacheMillis(5)).idleCacheMillis()).isEqualTo(5);
    assertThat(settings(b -> b.idleCacheMillis(0)).idleCacheMillis()).isZero();
  }

  private PoolSettings settings(Consumer<PoolSettings.Builder> by) {
    return under.open(by).settings();
  }

  @Test
  void aThreadThatIsStuckInTheEngineKeepsItsCacheUntilItLeaves() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch open = new CountDownLatch(1);
    SlotBinder slow =
        new SlotBinder() {
          @Override
          public Object bind(SlotGroup group, int index) {
            if (group.slotBytes() >= 2000) {
              entered.countDown();
              Latches.await(open);
            }
            return new Block(group, index);
          }

          @Override
          public void sampled(Object bound, int requestedBytes, long weightBytes) {}
        };
    BufferPool pool = new PoolBuilderOf(slow).open();
    Worker thread = under.thread();
    thread.run(() -> ((Block) pool.allocate(100)).release());
    Future<?> stuck = thread.submit(() -> ((Block) pool.allocate(2000)).release());
    Latches.await(entered);
    for (int i = 0; i < 30; i++) {
      pool.tick();
      LockSupport.parkNanos(100_000);
    }
    assertThat(revoked(pool)).isZero();
    assertThat(pool.snapshot().threadCaches()).isOne();
    assertThat(suspended(pool)).isOne();

    open.countDown();
    stuck.get(20, TimeUnit.SECONDS);
    PoolUnderTest.check(pool);
    // Its next allocation would take the cache back; it makes none.
    tickUntilRevoked(pool, 1);
    assertThat(PoolUnderTest.check(pool).cachedBytes()).isZero();
    pool.close();
    pool.tick();
    PoolInvariants.check(pool);
  }

  private final class PoolBuilderOf {
    private final SlotBinder binder;

    PoolBuilderOf(SlotBinder binder) {
      this.binder = binder;
    }

    BufferPool open() {
      return BufferPool.builder(MemoryKind.HEAP, under.source, binder)
          .arenas(1)
          .maintenanceThread(false)
          .idleCacheMillis(1)
          .build();
    }
  }

  private static long suspended(BufferPool pool) {
    return pool.caches.all().stream().filter(cache -> cache.idleState.isSuspended).count();
  }

  @Test
  void aThreadThatWakesTakesItsSuspendedCacheBack() throws Exception {
    BufferPool pool = open();
    Worker thread = under.thread();
    List<Block> kept = thread.call(() -> under.allocate(pool, 1000, 20));
    ThreadCache cache = pool.caches.all().get(0);
    suspend(pool);
    assertThat(suspended(pool)).isOne();
    PoolUnderTest.check(pool);

    thread.run(() -> under.release(kept.subList(0, 10))); // as another thread
    assertThat(PoolUnderTest.check(pool).remoteReleases()).isEqualTo(10);
    assertThat(suspended(pool)).isOne();
    thread.run(() -> under.release(under.allocate(pool, 1000)));
    assertThat(pool.caches.all()).containsExactly(cache);
    assertThat(suspended(pool)).isZero();
    thread.run(() -> under.release(kept.subList(10, 20))); // as the owner
    assertThat(PoolUnderTest.check(pool).remoteReleases()).isEqualTo(10);
    tickUntilRevoked(pool, 1);
  }

  /** Does the first step of reclaiming a cache. */
  private static void suspend(BufferPool pool) {
    pool.caches.suspend(pool.caches.all(), pool.arenas[0].groups());
  }

  @Test
  void aThreadThatEndsOrLeavesWhileItsCacheIsSuspendedRetiresIt() throws Exception {
    BufferPool pool = open();
    Worker dies = under.thread();
    dies.run(() -> under.allocate(pool, 1000, 20));
    Worker leaves = under.thread();
    leaves.run(() -> under.allocate(pool, 1000, 20));
    suspend(pool);
    assertThat(suspended(pool)).isEqualTo(2);
    dies.end();
    assertThat(leaves.call(pool::freeCurrentThreadCache)).isTrue();
    assertThat(leaves.call(pool::freeCurrentThreadCache)).isFalse();
    pool.tick();
    assertThat(PoolUnderTest.check(pool).threadCaches()).isZero();
    assertThat(pool.snapshot().get(PoolStat.THREAD_CACHES_GIVEN_UP)).isEqualTo(2);
    assertThat(revoked(pool)).isZero();
  }

  @Test
  void aSuspendedCacheSurvivesThatTheTableGrows() throws Exception {
    BufferPool pool = open();
    Worker thread = under.thread();
    thread.run(() -> under.allocate(pool, 1000, 20));
    ThreadCache cache = pool.caches.all().get(0);
    suspend(pool);
    for (int i = 0; i < 40; i++) {
      under.thread().run(() -> under.allocate(pool, 64));
    }
    thread.run(() -> under.allocate(pool, 1000, 20));
    assertThat(pool.caches.all()).contains(cache).hasSize(41);
    assertThat(suspended(pool)).isZero();
    PoolUnderTest.check(pool);
  }

  /** A thread class of the host JVM that returns the id of another thread, which sleeps. */
  private static final class DisguisedThread extends Thread {
    private final long otherId;

    DisguisedThread(Runnable task, Thread other) {
      super(task);
      this.otherId = other.getId();
    }

    @Override
    public long getId() {
      return otherId;
    }
  }

  @Test
  void aThreadThatReturnsTheIdOfAnotherKeepsItsCache() throws Exception {
    BufferPool pool = open();
    Thread[] sleeping = {null};
    under.thread().run(() -> sleeping[0] = Thread.currentThread());
    await().atMost(SOON).until(() -> isOutsideEngine(sleeping[0]));
    ThreadPoolExecutor executor =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> new DisguisedThread(task, sleeping[0]));
    try {
      executor.submit(() -> under.release(under.allocate(pool, 64))).get(20, TimeUnit.SECONDS);
      for (int i = 0; i < 20; i++) {
        pool.tick();
        LockSupport.parkNanos(100_000);
      }
      assertThat(revoked(pool)).isZero();
      executor.submit(() -> under.release(under.allocate(pool, 64))).get(20, TimeUnit.SECONDS);
      assertThat(PoolUnderTest.check(pool).threadCaches()).isOne();
    } finally {
      executor.shutdown();
      assertThat(executor.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    }
    await().atMost(SOON).until(() -> tickedToNothing(pool));
  }

  private static boolean tickedToNothing(BufferPool pool) {
    pool.tick();
    return pool.snapshot().threadCaches() == 0;
  }

  @Test
  void anUnusedSharedCacheKeepsNothing() throws Exception {
    BufferPool pool =
        under.open(settings -> settings.threadCaches(false).sharedCaches(2).idleCacheMillis(1));
    for (int size : SIZES) {
      under.release(under.allocate(pool, size, 5));
    }
    long requests = pool.snapshot().threadCacheRequests();
    await()
        .atMost(SOON)
        .until(
            () -> {
              pool.tick();
              return pool.snapshot().cachedBytes() == 0;
            });
    assertThat(pool.snapshot().reservedBytes()).isLessThanOrEqualTo(PoolUnderTest.CHUNK);
    assertThat(pool.snapshot().threadCacheRequests()).isEqualTo(requests);
    under.release(under.allocate(pool, 64));
    PoolUnderTest.check(pool);
  }

  @Test
  void threadsAreLocatedByTheirOwnStacksAlone() throws Exception {
    assertThat(QuiescenceCheck.PROVABLE).isTrue();
    assertThat(isOutsideEngine(Thread.currentThread())).isFalse();
    CountDownLatch open = new CountDownLatch(1);
    Thread inThisPackage = new Thread(() -> Latches.await(open, 60));
    Thread spinning = new Thread(new Spinner(open)::spin);
    Thread sleeping = new Thread(() -> {});
    assertThat(isOutsideEngine(sleeping)).isFalse(); // not started: no stack trace
    inThisPackage.start();
    spinning.start();
    await().atMost(SOON).until(() -> inThisPackage.getState() == Thread.State.TIMED_WAITING);
    assertThat(isOutsideEngine(inThisPackage)).isFalse();
    assertThat(isOutsideEngine(spinning)).isFalse();
    Worker worker = under.thread();
    Thread[] thread = {null};
    worker.run(() -> thread[0] = Thread.currentThread());
    await().atMost(SOON).until(() -> isOutsideEngine(thread[0]));
    open.countDown();
    inThisPackage.join();
    spinning.join();
    worker.end();
    assertThat(isOutsideEngine(thread[0])).isFalse();
  }

  private static boolean isOutsideEngine(Thread thread) {
    return QuiescenceCheck.areOutsideEngine(new Thread[] {thread})[0];
  }

  private record Spinner(CountDownLatch end) {
    void spin() {
      while (end.getCount() > 0) {
        Thread.onSpinWait();
      }
    }
  }
}
