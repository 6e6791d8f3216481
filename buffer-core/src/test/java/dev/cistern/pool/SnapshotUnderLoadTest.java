/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.stats.ArenaStat;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.PoolStat;
import dev.cistern.stats.SizeClassStat;
import dev.cistern.stats.SizeGroup;
import dev.cistern.testing.TestLength;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Snapshots by several readers while threads allocate, pass on and release, with their own caches,
 * which they retire now and then, with shared caches, and without; and at rest, against a model.
 */
@Tag("F2")
class SnapshotUnderLoadTest {
  private static final int WRITERS = 3;
  private static final int READERS = 2;
  private static final int OPERATIONS = TestLength.choose(100_000, 100_000, 4_000_000);
  private static final Set<PoolStat> CUMULATIVE =
      EnumSet.of(
          PoolStat.REQUESTED_BYTES_TOTAL,
          PoolStat.ROUNDED_BYTES_TOTAL,
          PoolStat.THREAD_CACHE_REQUESTS,
          PoolStat.THREAD_CACHE_HITS,
          PoolStat.THREAD_CACHE_MISSES,
          PoolStat.THREAD_CACHE_REFILLS,
          PoolStat.THREAD_CACHE_TRIMS,
          PoolStat.THREAD_CACHES_GIVEN_UP,
          PoolStat.THREAD_CACHES_REVOKED,
          PoolStat.REMOTE_RELEASES,
          PoolStat.FAILED_ALLOCATIONS,
          PoolStat.HUGE_ALLOCATIONS,
          PoolStat.HUGE_DEALLOCATIONS,
          PoolStat.ORPHAN_ADOPTIONS,
          PoolStat.SHARED_CACHE_WAITS,
          PoolStat.SAMPLES,
          PoolStat.FAILED_SAMPLES);

  /** Statistics that are -1 if they are unknown. */
  private static final Set<PoolStat> MAYBE_UNKNOWN =
      EnumSet.of(PoolStat.RESIDENT_BYTES, PoolStat.MEMORY_WAY);

  private static final Set<ArenaStat> CUMULATIVE_OF_ARENA =
      EnumSet.of(
          ArenaStat.LOCK_WAITS,
          ArenaStat.CHUNK_ALLOCATIONS,
          ArenaStat.CHUNK_DEALLOCATIONS,
          ArenaStat.SMALL_ALLOCATIONS,
          ArenaStat.SMALL_DEALLOCATIONS,
          ArenaStat.NORMAL_ALLOCATIONS,
          ArenaStat.NORMAL_DEALLOCATIONS);
  private static final Set<SizeClassStat> CUMULATIVE_OF_CLASS =
      EnumSet.complementOf(EnumSet.of(SizeClassStat.CACHED_SLOTS));

  @RegisterExtension final PoolUnderTest under = new PoolUnderTest();

  private final long seed = Long.getLong("cistern.seed", System.nanoTime());
  private final Queue<Block> passedOn = new ConcurrentLinkedQueue<>();
  private final Queue<Block> forForeign = new ConcurrentLinkedQueue<>();

  // The model.
  private AtomicLongArray allocations;
  private final LongAdder hugeAllocations = new LongAdder();
  private final LongAdder requestedBytes = new LongAdder();
  private final LongAdder givenUp = new LongAdder();

  private BufferPool pool;
  private int chunkBytes;
  private volatile boolean writing = true;

  @ParameterizedTest
  @CsvSource({"true, 1", "false, 1", "true, 4"}) // 4: slots of 32 to 64 KiB are in subpages
  void countersOnlyGrowAndAreConsistentAtRest(boolean threadCaches, int chunkMebibytes)
      throws Exception {
    chunkBytes = chunkMebibytes << 20;
    String run =
        "seed " + seed + ", thread caches " + threadCaches + ", chunks of " + chunkBytes + " bytes";
    System.out.println(run);
    pool =
        under.open(
            settings ->
                settings
                    .arenas(3)
                    .sharedCaches(2)
                    .chunkBytes(chunkBytes)
                    .threadCaches(threadCaches)
                    .trimIntervalAllocations(1024));
    allocations = new AtomicLongArray(pool.sizeClasses.count());
    SplittableRandom random = new SplittableRandom(seed);
    List<Future<Integer>> readers = new ArrayList<>();
    for (int i = 0; i < READERS; i++) {
      readers.add(under.thread().start(this::readUntilWritten));
    }
    Future<Integer> foreign = under.thread().start(this::releaseUntilWritten);
    List<Future<Integer>> writers = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      SplittableRandom own = random.split();
      writers.add(under.thread().start(() -> write(own)));
    }
    for (Future<Integer> writer : writers) {
      writer.get(170, TimeUnit.SECONDS);
    }
    writing = false;
    assertThat(foreign.get(20, TimeUnit.SECONDS)).as(run).isPositive();
    for (Future<Integer> reader : readers) {
      assertThat(reader.get(20, TimeUnit.SECONDS)).as(run).isGreaterThan(10);
    }
    assertAtRest(threadCaches, run);
  }

  private int write(SplittableRandom random) {
    List<Block> held = new ArrayList<>();
    for (int i = 0; i < OPERATIONS; i++) {
      int choice = random.nextInt(1000);
      if (choice < 500 && held.size() < 100) {
        held.add(allocate(anySize(random)));
      } else if (choice < 800 && !held.isEmpty()) {
        release(held.remove(random.nextInt(held.size())));
      } else if (choice < 860 && !held.isEmpty()) {
        passedOn.add(held.remove(held.size() - 1));
      } else if (choice < 900 && !held.isEmpty()) {
        forForeign.add(held.remove(held.size() - 1));
      } else if (choice < 997) {
        release(passedOn.poll());
      } else if (choice == 999 && pool.freeCurrentThreadCache()) {
        givenUp.increment();
      }
    }
    held.forEach(SnapshotUnderLoadTest::release);
    return OPERATIONS;
  }

  private int anySize(SplittableRandom random) {
    int kind = random.nextInt(1000);
    if (kind < 900) {
      return random.nextInt(1, 1 << random.nextInt(1, 15));
    }
    return random.nextInt(1, kind < 998 ? 200_000 : 2 * chunkBytes);
  }

  private Block allocate(int bytes) {
    Block block = (Block) pool.allocate(bytes);
    requestedBytes.add(bytes);
    if (bytes > chunkBytes) {
      hugeAllocations.increment();
    } else {
      allocations.incrementAndGet(pool.sizeClasses.of(bytes));
    }
    return block;
  }

  private static void release(Block block) {
    if (block != null) {
      block.group.release(block.index);
    }
  }

  /** A thread that never allocates has no cache. */
  private int releaseUntilWritten() {
    int released = 0;
    boolean last;
    do {
      last = !writing; // before the queue is emptied for the last time
      for (Block block = forForeign.poll(); block != null; block = forForeign.poll()) {
        release(block);
        released++;
      }
      Thread.onSpinWait();
    } while (!last);
    return released;
  }

  private int readUntilWritten() {
    int snapshots = 0;
    PoolSnapshot before = pool.snapshot();
    while (writing) {
      PoolSnapshot now = pool.snapshot();
      assertGrown(before, now);
      assertSound(now);
      before = now;
      snapshots++;
    }
    return snapshots;
  }

  private void assertGrown(PoolSnapshot before, PoolSnapshot now) {
    for (PoolStat stat : PoolStat.values()) {
      long lowest = MAYBE_UNKNOWN.contains(stat) ? -1 : 0;
      long least = CUMULATIVE.contains(stat) ? before.get(stat) : lowest;
      assertLeast(now.get(stat), least, stat, 0);
    }
    for (ArenaStat stat : ArenaStat.values()) {
      for (int arena = 0; arena < now.arenas(); arena++) {
        long least = CUMULATIVE_OF_ARENA.contains(stat) ? before.get(stat, arena) : 0;
        assertLeast(now.get(stat, arena), least, stat, arena);
      }
    }
    for (SizeClassStat stat : SizeClassStat.values()) {
      for (int sizeClass = 0; sizeClass < now.sizeClasses(); sizeClass++) {
        long least = CUMULATIVE_OF_CLASS.contains(stat) ? before.get(stat, sizeClass) : 0;
        assertLeast(now.get(stat, sizeClass), least, stat, sizeClass);
      }
    }
  }

  private void assertLeast(long value, long least, Enum<?> stat, int of) {
    if (value < least) {
      throw new AssertionError(
          "seed " + seed + ": " + stat + " of " + of + " is " + value + " after " + least);
    }
  }

  private void assertMost(long value, long most, String what) {
    if (value > most) {
      throw new AssertionError("seed " + seed + ": " + what + ": " + value + " of " + most);
    }
  }

  private void assertSound(PoolSnapshot now) {
    for (int sizeClass = 0; sizeClass < now.sizeClasses(); sizeClass++) {
      long allocated = now.get(SizeClassStat.ALLOCATIONS, sizeClass);
      assertMost(now.get(SizeClassStat.DEALLOCATIONS, sizeClass), allocated, "releases of a class");
      assertMost(
          now.get(SizeClassStat.REQUESTED_BYTES, sizeClass),
          allocated * now.sizeClassBytes(sizeClass),
          "requested bytes of a class");
    }
    for (SizeGroup group : SizeGroup.values()) {
      assertMost(now.deallocations(group), now.allocations(group), "releases");
      for (int arena = 0; arena < now.arenas(); arena++) {
        long allocated = now.arenaAllocations(arena, group);
        assertMost(now.arenaDeallocations(arena, group), allocated, "releases of an arena");
      }
    }
    assertMost(now.get(PoolStat.THREAD_CACHE_HITS), now.threadCacheRequests(), "hits");
    assertMost(now.threadCacheMisses(), now.get(PoolStat.THREAD_CACHE_REFILLS), "misses");
    assertMost(
        now.get(PoolStat.REQUESTED_BYTES_TOTAL),
        now.get(PoolStat.ROUNDED_BYTES_TOTAL),
        "requested bytes");
    assertMost(
        now.sum(ArenaStat.CHUNK_DEALLOCATIONS),
        now.sum(ArenaStat.CHUNK_ALLOCATIONS),
        "chunks freed");
    assertMost(now.pinnedBytes() + now.cachedBytes(), now.reservedBytes(), "pinned and cached");
    assertThat(now.pinnedBytes() + now.cachedBytes() + now.freeBytes())
        .isEqualTo(now.reservedBytes());
  }

  private void assertAtRest(boolean threadCaches, String run) {
    for (Block block = passedOn.poll(); block != null; block = passedOn.poll()) {
      release(block);
    }
    PoolSnapshot rest = PoolUnderTest.check(pool);
    assertSound(rest);
    long requests = 0;
    long rounded = rest.get(PoolStat.ROUNDED_BYTES_TOTAL);
    for (int sizeClass = 0; sizeClass < rest.sizeClasses(); sizeClass++) {
      long expected = allocations.get(sizeClass);
      assertThat(rest.get(SizeClassStat.ALLOCATIONS, sizeClass)).as(run).isEqualTo(expected);
      assertThat(rest.get(SizeClassStat.DEALLOCATIONS, sizeClass)).as(run).isEqualTo(expected);
      requests += expected;
      rounded -= expected * rest.sizeClassBytes(sizeClass);
    }
    assertThat(rest.threadCacheRequests()).as(run).isEqualTo(requests);
    assertThat(rest.get(PoolStat.THREAD_CACHE_HITS) + rest.threadCacheMisses())
        .as(run)
        .isEqualTo(requests);
    assertThat(rest.get(PoolStat.REQUESTED_BYTES_TOTAL)).as(run).isEqualTo(requestedBytes.sum());
    assertThat(rest.allocations(SizeGroup.HUGE)).as(run).isEqualTo(hugeAllocations.sum());
    assertThat(rest.deallocations(SizeGroup.HUGE)).as(run).isEqualTo(hugeAllocations.sum());
    assertThat(rounded).as("%s: rounded bytes of huge ones", run).isNotNegative();
    assertThat(rest.pinnedBytes()).as(run).isZero();
    assertThat(rest.get(PoolStat.THREAD_CACHES_GIVEN_UP)).as(run).isEqualTo(givenUp.sum());
    if (!threadCaches) { // the holder of the lock is the owner: a release that holds it counts as
      // one by the owner
      assertThat(rest.remoteReleases()).as(run).isPositive().isLessThan(requests);
    }
    for (SizeGroup group : List.of(SizeGroup.SMALL, SizeGroup.NORMAL)) {
      long allocated = 0;
      long released = 0;
      for (int arena = 0; arena < rest.arenas(); arena++) {
        assertThat(rest.arenaDeallocations(arena, group))
            .as("%s: %s of arena %d", run, group, arena)
            .isEqualTo(rest.arenaAllocations(arena, group));
        allocated += rest.arenaAllocations(arena, group);
        released += rest.arenaDeallocations(arena, group);
      }
      assertThat(allocated).as(run).isEqualTo(rest.allocations(group));
      assertThat(released).as(run).isEqualTo(rest.deallocations(group));
    }
    assertThat(rest.sum(ArenaStat.CACHED_BYTES)).as(run).isEqualTo(rest.cachedBytes());
    assertThat(rest.sum(ArenaStat.PINNED_BYTES)).as(run).isZero();
  }
}
