/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.memory.HeapMemorySource;
import dev.cistern.memory.MemoryKind;
import dev.cistern.testing.GarbageCollection;
import dev.cistern.testing.TestLength;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Races and limits that had a defect once, each run many times. */
class PoolRaceTest {
  private static final int ROUNDS = TestLength.choose(20, 60, 3000);
  private static final int[] SIZES = {20, 500, 3000, 20_000, 50_000, 300_000, 1_500_000};
  private static final int CHUNK_BYTES = 1 << 20;

  private final long seed = Long.getLong("cistern.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);

  /** A pool for one round of a race, with the threads that run it. */
  private final class Round {
    final WatchedSource source = new WatchedSource(new HeapMemorySource());
    final BufferPool pool;
    final OwnershipModel model;
    final AtomicBoolean over = new AtomicBoolean();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final List<Runnable> tasks = new ArrayList<>();

    Round(Consumer<PoolSettings.Builder> settings) {
      PoolSettings.Builder builder =
          BufferPool.builder(MemoryKind.HEAP, source, new BlockBinder())
              .arenas(1)
              .chunkBytes(CHUNK_BYTES)
              .decayMillis(0)
              .maintenanceThread(false);
      settings.accept(builder);
      pool = builder.build();
      model = new OwnershipModel(pool.sizeClasses.count());
      source.watch(model);
    }

    Block allocate(int bytes) {
      Block block = (Block) pool.allocate(bytes);
      int sizeClass = bytes > CHUNK_BYTES ? OwnershipModel.HUGE : pool.sizeClasses.of(bytes);
      model.enter(source.start(block), block.slotBytes(), sizeClass, bytes);
      block.stamp(bytes, System.identityHashCode(block));
      return block;
    }

    void release(Block block) {
      block.verify();
      model.leave(source.start(block));
      block.group.release(block.index);
    }

    void with(Runnable task) {
      tasks.add(task);
    }

    /** Runs all tasks at once; returns when they have ended. */
    void race() throws InterruptedException {
      CyclicBarrier start = new CyclicBarrier(tasks.size());
      List<Thread> threads = new ArrayList<>();
      for (Runnable task : tasks) {
        Thread thread =
            new Thread(
                () -> {
                  try {
                    start.await();
                    task.run();
                  } catch (Throwable failure) {
                    failures.add(failure);
                    over.set(true);
                  }
                });
        threads.add(thread);
        thread.start();
      }
      for (Thread thread : threads) {
        thread.join(60_000);
        assertThat(thread.isAlive()).as("seed %d: a thread hangs", seed).isFalse();
      }
      for (Throwable failure : failures) {
        throw new AssertionError("seed " + seed, failure);
      }
    }

    /** Checks that all counters agree and all memory is freed, after all slots are released. */
    void end() {
      model.check(pool.snapshot());
      PoolInvariants.check(pool);
      pool.close();
      pool.tick();
      PoolInvariants.check(pool);
      assertThat(source.regions()).as("seed %d: regions left", seed).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void closeAgainstTrimAndAllocation(boolean threadCaches) throws InterruptedException {
    for (int i = 0; i < ROUNDS; i++) {
      Round round = new Round(settings -> settings.threadCaches(threadCaches).sharedCaches(2));
      for (int thread = 0; thread < 2; thread++) {
        SplittableRandom own = random.split();
        round.with(() -> allocateAndRelease(round, own));
      }
      round.with(
          () -> {
            while (!round.over.get()) {
              round.pool.tick();
            }
          });
      int spins = random.nextInt(20_000);
      round.with(
          () -> {
            spin(spins);
            round.pool.close();
            round.pool.close();
            round.over.set(true);
          });
      round.race();
      round.end();
    }
  }

  private static void allocateAndRelease(Round round, SplittableRandom random) {
    List<Block> held = new ArrayList<>();
    while (!round.over.get()) {
      if (held.size() < 30) {
        held.add(round.allocate(SIZES[random.nextInt(SIZES.length)]));
      } else {
        round.release(held.remove(random.nextInt(held.size())));
      }
    }
    held.forEach(round::release);
  }

  private static void spin(int times) {
    for (int i = 0; i < times; i++) {
      Thread.onSpinWait();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Tag("A8")
  void closeAgainstRemoteReleases(boolean threadCaches) throws InterruptedException {
    for (int i = 0; i < ROUNDS; i++) {
      Round round = new Round(settings -> settings.threadCaches(threadCaches).sharedCaches(1));
      Queue<Block> sent = new ConcurrentLinkedQueue<>();
      SplittableRandom sizes = random.split();
      int spins = random.nextInt(20_000);
      // The owner of the blocks closes the pool while other threads release them.
      round.with(
          () -> {
            for (int n = 0; n < 200; n++) {
              sent.add(round.allocate(SIZES[sizes.nextInt(SIZES.length - 1)]));
            }
            spin(spins);
            round.pool.close();
            round.over.set(true);
          });
      for (int thread = 0; thread < 2; thread++) {
        round.with(() -> releaseAll(round, sent));
      }
      round.race();
      round.end();
    }
  }

  private static void releaseAll(Round round, Queue<Block> sent) {
    for (; ; ) {
      boolean last = round.over.get();
      Block block = sent.poll();
      if (block != null) {
        round.release(block);
      } else if (last) {
        return;
      }
    }
  }

  /**
   * Caches are retired, by the thread's end and by a call, while other threads release, adopt and
   * revoke their groups.
   */
  @Test
  @Tag("A8")
  @Tag("A10")
  void retiringAgainstRemoteReleasesAndTicks() throws InterruptedException {
    for (int i = 0; i < ROUNDS; i++) {
      Round round = new Round(settings -> settings.idleBytesPerThread(0));
      Queue<Block> sent = new ConcurrentLinkedQueue<>();
      SplittableRandom sizes = random.split();
      round.with(
          () -> {
            for (int n = 0; n < 300; n++) {
              sent.add(round.allocate(SIZES[sizes.nextInt(SIZES.length - 1)]));
              if (n % 50 == 49) {
                round.pool.freeCurrentThreadCache();
              }
            }
            round.over.set(true);
          });
      round.with(() -> releaseAll(round, sent));
      round.with(
          () -> {
            while (!round.over.get()) {
              round.pool.tick();
            }
          });
      round.race();
      round.end();
    }
  }

  /** The smallest class in the largest run: more slots than 16 bits can index. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Tag("A5")
  void moreLiveSlotsThanSixteenBitsName(boolean threadCaches) throws InterruptedException {
    int mebibyte = 1 << 20;
    Round round =
        new Round(
            settings ->
                settings
                    .pageBytes(mebibyte)
                    .chunkBytes(32 * mebibyte)
                    .threadCaches(threadCaches)
                    .sharedCaches(1));
    Queue<Block> sent = new ConcurrentLinkedQueue<>();
    for (int i = 0; i < 3 * RemoteFreeList.MAX_SLOTS; i++) {
      sent.add(round.allocate(16));
    }
    assertThat(sent.peek().group.slots).isEqualTo(RemoteFreeList.MAX_SLOTS);
    round.model.check(round.pool.snapshot());
    PoolInvariants.check(round.pool);
    round.over.set(true);
    round.with(() -> releaseAll(round, sent));
    round.with(() -> releaseAll(round, sent));
    round.race();
    for (int i = 0; i < RemoteFreeList.MAX_SLOTS + 10; i++) {
      sent.add(round.allocate(16));
    }
    releaseAll(round, sent);
    round.end();
  }

  /** An unreachable pool frees only memory, and each region once. */
  @Test
  void aDroppedPoolFreesEachRegionOnce() {
    TestSource source = new TestSource(); // fails if a region is freed twice
    for (int i = 0; i < 20; i++) {
      drop(source, i);
    }
    GarbageCollection.until("every region back", () -> source.regions() == 0);
  }

  private static void drop(TestSource source, int blocks) {
    BufferPool pool =
        BufferPool.builder(MemoryKind.HEAP, source, new BlockBinder())
            .chunkBytes(CHUNK_BYTES)
            .build();
    for (int i = 0; i < blocks; i++) {
      pool.allocate(SIZES[i % SIZES.length]);
    }
    pool.close(); // with slots in use: the pool works until it is unreachable
  }
}
