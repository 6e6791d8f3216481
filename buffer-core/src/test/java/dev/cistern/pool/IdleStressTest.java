/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.memory.HeapMemorySource;
import dev.cistern.memory.MemoryKind;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.PoolStat;
import dev.cistern.testing.TestLength;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Threads that work in bursts and sleep between them, while their caches are reclaimed as fast as
 * possible: in their sleep, when they wake, and during their work.
 */
@Tag("A10")
class IdleStressTest {
  private static final int THREADS = 4;
  private static final long OPERATIONS = TestLength.choose(1_000_000, 1_000_000, 30_000_000);
  private static final int MAX_BURST_OPERATIONS = 3000;
  private static final long LONGEST_NAP_MICROS = 4000;
  private static final long MAX_HELD_BYTES = 8L << 20;

  private final BlockBinder binder = new BlockBinder();
  private final HeapMemorySource source = new HeapMemorySource();
  private final BufferPool pool =
      BufferPool.builder(MemoryKind.HEAP, source, binder)
          .arenas(2)
          .chunkBytes(1 << 20)
          .maintenanceThread(false)
          .decayMillis(5)
          .idleCacheMillis(1)
          .trimIntervalAllocations(1024)
          .build();
  private final Queue<Block> handedOver = new ConcurrentLinkedQueue<>();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final AtomicLong operationsLeft = new AtomicLong(OPERATIONS);
  private final AtomicLong allocations = new AtomicLong();
  private final AtomicLong tags = new AtomicLong();

  @Test
  @Timeout(value = 30, unit = TimeUnit.MINUTES)
  void noByteHasTwoHoldersWhileCachesAreTakenAwayAllTheTime() throws InterruptedException {
    long seed = Long.getLong("cistern.seed", System.nanoTime());
    SplittableRandom random = new SplittableRandom(seed);
    List<Napper> nappers = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Napper napper = new Napper(random.split());
      nappers.add(napper);
      napper.start();
    }
    long ticks = 0;
    while (operationsLeft.get() > 0 && failure.get() == null) {
      pool.tick();
      ticks++;
    }
    for (Napper napper : nappers) {
      napper.end();
    }
    assertThat(failure.get()).as("seed %d", seed).isNull();
    checkFigures(seed, ticks);
  }

  private void checkFigures(long seed, long ticks) {
    for (Block block = handedOver.poll(); block != null; block = handedOver.poll()) {
      block.release();
    }
    PoolInvariants.check(pool);
    PoolSnapshot snapshot = pool.snapshot();
    long revoked = snapshot.get(PoolStat.THREAD_CACHES_REVOKED);
    System.out.printf(
        "seed %d: %d allocations, %d ticks, %d revoked%n", seed, allocations.get(), ticks, revoked);
    assertThat(revoked).as("seed %d", seed).isGreaterThan(THREADS);
    assertThat(snapshot.pinnedBytes()).as("seed %d", seed).isZero();
    assertThat(snapshot.threadCacheRequests()).as("seed %d", seed).isEqualTo(allocations.get());
    pool.close();
    await("seed " + seed)
        .atMost(30, TimeUnit.SECONDS)
        .until(
            () -> {
              pool.tick();
              return source.usedBytes() == 0;
            });
    PoolInvariants.check(pool);
  }

  /** A thread and its blocks. It sleeps outside of this package: in its executor. */
  private final class Napper {
    private final ScheduledExecutorService executor = Executors.newScheduledThreadPool(1);
    private final SplittableRandom random;
    private final List<Block> held = new ArrayList<>();
    private long heldBytes;

    Napper(SplittableRandom random) {
      this.random = random;
    }

    void start() {
      executor.execute(this::burst);
    }

    void end() throws InterruptedException {
      executor.shutdown();
      assertThat(executor.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
      held.forEach(Block::release);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it cannot fail, see below
    private void burst() {
      try {
        int operations = random.nextInt(1, MAX_BURST_OPERATIONS);
        operationsLeft.addAndGet(-operations);
        for (int i = 0; i < operations; i++) {
          step(random.nextInt(1000));
        }
      } catch (Throwable thrown) {
        failure.compareAndSet(null, thrown);
      }
      if (operationsLeft.get() > 0 && failure.get() == null) {
        long napMicros = random.nextLong(LONGEST_NAP_MICROS);
        executor.schedule(this::burst, napMicros, TimeUnit.MICROSECONDS);
      }
    }

    private void step(int choice) {
      if (choice < 500) {
        if (heldBytes < MAX_HELD_BYTES) {
          allocate();
        }
      } else if (choice < 850) {
        if (!held.isEmpty()) {
          takeAny().release();
        }
      } else if (choice < 920) {
        if (!held.isEmpty()) {
          handedOver.add(takeAny());
        }
      } else if (choice < 998) {
        Block block = handedOver.poll();
        if (block != null) {
          block.release();
        }
      } else if (choice == 998) {
        pool.trimCurrentThreadCache();
      } else if (random.nextInt(8) == 0) {
        pool.freeCurrentThreadCache();
      }
    }

    private void allocate() {
      int kind = random.nextInt(100);
      int bytes = random.nextInt(0, kind < 70 ? 2048 : kind < 95 ? 30_000 : 400_000);
      Block block = (Block) pool.allocate(bytes);
      allocations.incrementAndGet();
      block.stamp(bytes, tags.incrementAndGet());
      held.add(block);
      heldBytes += bytes;
    }

    private Block takeAny() {
      Block block = Block.takeAny(held, random);
      heldBytes -= block.requestedBytes();
      return block;
    }
  }
}
