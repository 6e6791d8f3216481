/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.awaitility.Awaitility.await;

import dev.cistern.memory.DirectMemoryLimit;
import dev.cistern.memory.DirectMemorySource;
import dev.cistern.memory.HeapMemorySource;
import dev.cistern.memory.MemoryKind;
import dev.cistern.memory.MemorySource;
import dev.cistern.stats.PoolFigure;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.SizeGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The engine under threads that come and go, release each other's slots, grow, trim and give up
 * caches. Patterns in the memory tell whether a byte ever has two holders; counters must add up to
 * what the threads did (seed rows A5, A7, A8, A10, F2).
 */
@Tag("A5")
@Tag("A7")
@Tag("A8")
@Tag("A10")
@Tag("F2")
class PoolStressTest {
  private static final boolean LONG = Boolean.getBoolean("cistern.long");
  private static final int THREADS = 4;
  private static final long OPERATIONS = LONG ? 60_000_000 : 1_200_000;
  private static final int MOST_OPERATIONS_OF_A_THREAD = 60_000;
  private static final long MOST_HELD_BYTES = 16L << 20;
  private static final int CHUNK_BYTES = 1 << 20;

  private final Queue<Block> handedOver = new ConcurrentLinkedQueue<>();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final AtomicLong operationsLeft = new AtomicLong(OPERATIONS);
  private final AtomicLong allocations = new AtomicLong();
  private final AtomicLong hugeAllocations = new AtomicLong();
  private final AtomicLong requestedBytes = new AtomicLong();
  private final AtomicLong tags = new AtomicLong();
  private final BlockBinder binder = new BlockBinder();
  private BufferPool pool;

  @ParameterizedTest
  @CsvSource({"DIRECT, true", "DIRECT, false", "HEAP, true"})
  @Timeout(value = 30, unit = TimeUnit.MINUTES)
  void noByteHasTwoHoldersAndTheCountersAddUp(MemoryKind kind, boolean threadCaches)
      throws InterruptedException {
    long seed = Long.getLong("cistern.seed", System.nanoTime());
    String run = "seed " + seed + ", " + kind + ", thread caches " + threadCaches;
    System.out.println(run);
    MemorySource source = source(kind);
    pool =
        BufferPool.builder(kind, source, binder)
            .arenas(2)
            .chunkBytes(CHUNK_BYTES)
            .threadCaches(threadCaches)
            .trimIntervalAllocations(1024)
            .decayMillis(20)
            .sampleIntervalBytes(256 << 10)
            .build();

    drive(new SplittableRandom(seed));

    assertThat(failure.get()).as(run).isNull();
    for (Block block = handedOver.poll(); block != null; block = handedOver.poll()) {
      block.release();
    }
    checkFigures(run);
    PoolInvariants.check(pool);
    pool.close();
    await(run)
        .atMost(30, TimeUnit.SECONDS)
        .untilAsserted(
            () -> {
              pool.tick();
              assertThat(pool.snapshot().cachedBytes()).isLessThanOrEqualTo(mostCachedBytes());
            });
    assertThat(threadCaches && source.usedBytes() > 0).as("%s: memory left", run).isFalse();
    PoolInvariants.check(pool);
  }

  /** A shared cache keeps one subpage of each small class, also when nobody uses it. */
  private long mostCachedBytes() {
    if (pool.settings().threadCaches()) {
      return 0;
    }
    SizeClasses classes = pool.sizeClasses();
    long bytes = 0;
    for (int sizeClass = 0; sizeClass < classes.smallCount(); sizeClass++) {
      bytes += (long) classes.runPages(sizeClass) * pool.pageBytes();
    }
    return bytes * pool.sharedCaches().size();
  }

  private static MemorySource source(MemoryKind kind) {
    return kind == MemoryKind.HEAP
        ? new HeapMemorySource()
        : new DirectMemorySource(new DirectMemoryLimit(1L << 30), 0, false);
  }

  /** Keeps {@link #THREADS} threads going, each with a short life of its own. */
  private void drive(SplittableRandom random) throws InterruptedException {
    List<Thread> living = new ArrayList<>();
    while (operationsLeft.get() > 0 && failure.get() == null) {
      living.removeIf(thread -> !thread.isAlive());
      while (living.size() < THREADS) {
        SplittableRandom own = random.split();
        Thread thread = new Thread(() -> live(own), "stress");
        living.add(thread);
        thread.start();
      }
      living.get(0).join();
    }
    for (Thread thread : living) {
      thread.join();
    }
  }

  private void live(SplittableRandom random) {
    try {
      int operations = random.nextInt(1, MOST_OPERATIONS_OF_A_THREAD);
      operationsLeft.addAndGet(-operations);
      new Holder(random).run(operations);
    } catch (Throwable thrown) {
      failure.compareAndSet(null, thrown);
    }
  }

  private void checkFigures(String run) {
    PoolSnapshot snapshot = pool.snapshot();
    long allocated = 0;
    for (SizeGroup group : SizeGroup.values()) {
      allocated += snapshot.allocations(group);
      assertThat(snapshot.deallocations(group))
          .as("%s: releases, %s", run, group)
          .isEqualTo(snapshot.allocations(group));
    }
    assertThat(allocated).as("%s: allocations", run).isEqualTo(allocations.get());
    assertThat(snapshot.allocations(SizeGroup.HUGE)).as(run).isEqualTo(hugeAllocations.get());
    assertThat(snapshot.requestedBytesTotal()).as(run).isEqualTo(requestedBytes.get());
    assertThat(snapshot.roundedBytesTotal()).as(run).isGreaterThanOrEqualTo(requestedBytes.get());
    assertThat(snapshot.pinnedBytes()).as("%s: pinned", run).isZero();
    assertThat(snapshot.cachedBytes() + snapshot.freeBytes())
        .as(run)
        .isEqualTo(snapshot.reservedBytes());
    assertThat(binder.samples.sum())
        .as("%s: samples", run)
        .isPositive()
        .isEqualTo(snapshot.get(PoolFigure.SAMPLES));
    // An unbiased estimate, from a few thousand samples with adapting intervals.
    assertThat((double) binder.sampledWeightBytes.sum())
        .as("%s: weight of samples", run)
        .isCloseTo((double) requestedBytes.get(), withinPercentage(40));
    System.out.println(
        run + ": " + allocated + " allocations, " + snapshot.remoteReleases() + " remote releases");
    assertThat(snapshot.remoteReleases()).as("%s: remote releases", run).isPositive();
  }

  /** One thread's blocks. */
  private final class Holder {
    private final SplittableRandom random;
    private final List<Block> held = new ArrayList<>();
    private long heldBytes;

    Holder(SplittableRandom random) {
      this.random = random;
    }

    void run(int operations) {
      for (int i = 0; i < operations && failure.get() == null; i++) {
        step(random.nextInt(1000));
      }
      handedOver.addAll(held);
    }

    private void step(int choice) {
      if (choice < 460 && heldBytes < MOST_HELD_BYTES) {
        allocate();
      } else if (choice < 800 && !held.isEmpty()) {
        takeAny().release();
      } else if (choice < 860 && !held.isEmpty()) {
        handedOver.add(takeAny());
      } else if (choice < 960) {
        releaseHandedOver();
      } else if (choice < 980 && !held.isEmpty()) {
        grow();
      } else if (choice < 990 && !held.isEmpty()) {
        Block block = held.get(random.nextInt(held.size()));
        block.group.unbind(block.index);
      } else if (choice == 998) {
        pool.trimCurrentThreadCache();
      } else if (choice == 999) {
        rareStep();
      }
    }

    private void rareStep() {
      if (random.nextInt(4) == 0) {
        pool.freeCurrentThreadCache();
      } else {
        pool.snapshot();
      }
    }

    private void allocate() {
      int bytes = anySize();
      Block block = (Block) pool.allocate(bytes);
      count(bytes);
      block.stamp(bytes, tags.incrementAndGet());
      held.add(block);
      heldBytes += bytes;
    }

    private void count(int bytes) {
      allocations.incrementAndGet();
      requestedBytes.addAndGet(bytes);
      if (bytes > CHUNK_BYTES) {
        hugeAllocations.incrementAndGet();
      }
    }

    /** Every size: mostly small, a few above the chunk. */
    private int anySize() {
      int kind = random.nextInt(1000);
      if (kind < 700) {
        return random.nextInt(0, 2049);
      } else if (kind < 900) {
        return random.nextInt(2048, 40_000);
      } else if (kind < 990) {
        return random.nextInt(40_000, 300_000);
      }
      return random.nextInt(300_000, kind < 998 ? CHUNK_BYTES + 1 : 3 * CHUNK_BYTES);
    }

    private void grow() {
      Block block = held.get(random.nextInt(held.size()));
      int bytes = (int) Math.min(block.requestedBytes() * 2L + 1, 2L * CHUNK_BYTES);
      if (bytes > block.slotBytes()) {
        heldBytes += bytes - block.requestedBytes();
        block.grow(pool, bytes, tags.incrementAndGet());
        count(bytes);
      }
    }

    private Block takeAny() {
      int last = held.size() - 1;
      int chosen = random.nextInt(held.size());
      Block block = held.get(chosen);
      held.set(chosen, held.get(last));
      held.remove(last);
      heldBytes -= block.requestedBytes();
      return block;
    }

    private void releaseHandedOver() {
      Block block = handedOver.poll();
      if (block != null) {
        block.release();
      }
    }
  }
}
