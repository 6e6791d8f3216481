/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.memory.HeapMemorySource;
import dev.cistern.memory.MemoryKind;
import dev.cistern.memory.MemorySource;
import dev.cistern.memory.Region;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.PoolStat;
import dev.cistern.stats.SizeGroup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A cache is retired, and the first region that it frees fails, or the second, and so on, with any
 * error. Its counters are complete at once and stay so, and the next attempt continues.
 */
@Tag("A10")
@Tag("F2")
class CacheRetirementFaultTest {
  private static final int[] SIZES = {100, 100, 1000, 5000, 40_000, 300_000};
  private static final int CHUNK_BYTES = 512 << 10;

  /** The kind of failure. */
  private enum Failure {
    HEAP,
    STACK,
    EXCEPTION;

    void fail(int step) {
      String message = "step " + step + " fails for the test";
      switch (this) {
        case HEAP -> throw new OutOfMemoryError(message);
        case STACK -> throw new StackOverflowError(message);
        default -> throw new IllegalStateException(message);
      }
    }
  }

  /** The ways to retire caches. */
  private enum Way {
    THE_THREADS_ARE_DEAD(3),
    A_NEW_THREAD_FINDS_THEM_DEAD(3),
    THE_THREAD_ITSELF(1),
    THEY_SLEEP(3),
    SHARED(0);

    /** Number of caches that are retired. */
    final int retired;

    Way(int retired) {
      this.retired = retired;
    }
  }

  /** Fails the chosen step. A region whose free fails counts as freed. */
  private static final class Steps implements MemorySource {
    private final HeapMemorySource heap = new HeapMemorySource();
    private Failure failure = Failure.HEAP;
    private int failing;
    private int taken;
    private int regions;

    void next() {
      if (failing != 0 && ++taken == failing) {
        failure.fail(taken);
      }
    }

    boolean reached() {
      return taken >= failing;
    }

    @Override
    public Region allocate(int bytes) {
      regions++;
      return heap.allocate(bytes);
    }

    @Override
    public void free(Region region) {
      heap.free(region);
      regions--;
      next();
    }

    @Override
    public long usedBytes() {
      return heap.usedBytes();
    }

    @Override
    public long limitBytes() {
      return heap.limitBytes();
    }
  }

  private static List<Long> totals(PoolSnapshot snapshot) {
    List<Long> figures = new ArrayList<>();
    for (SizeGroup group : SizeGroup.values()) {
      figures.add(snapshot.allocations(group));
      figures.add(snapshot.deallocations(group));
    }
    figures.add(snapshot.pinnedBytes());
    figures.add(snapshot.remoteReleases());
    figures.add(snapshot.threadCacheRequests());
    figures.add(snapshot.threadCacheMisses());
    figures.add(snapshot.get(PoolStat.REQUESTED_BYTES_TOTAL));
    return figures;
  }

  @ParameterizedTest
  @EnumSource
  void aFailureAtAnyStepLosesNoCounterAndNoMemory(Failure failure) throws Exception {
    for (Way way : Way.values()) {
      int steps = 0;
      for (boolean failed = true; failed; ) {
        failed = scenario(way, failure, ++steps);
      }
      assertThat(steps).as("steps of %s", way).isGreaterThan(2);
    }
  }

  /** Returns whether the scenario has a step of this number. */
  private static boolean scenario(Way way, Failure failure, int step) throws Exception {
    Steps steps = new Steps();
    BufferPool pool =
        BufferPool.builder(MemoryKind.HEAP, steps, new BlockBinder())
            .arenas(2)
            .chunkBytes(CHUNK_BYTES)
            .threadCaches(way != Way.SHARED)
            .sharedCaches(3)
            .idleCacheMillis(1)
            .decayMillis(3_600_000)
            .maintenanceThread(false)
            .build();
    List<Worker> threads = List.of(new Worker(), new Worker(), new Worker());
    List<Block> out = new ArrayList<>();
    for (Worker thread : threads) {
      thread.run(() -> work(pool, out));
    }
    if (way == Way.THE_THREADS_ARE_DEAD || way == Way.A_NEW_THREAD_FINDS_THEM_DEAD) {
      end(threads);
    }
    List<Long> before = totals(pool.snapshot());

    String name = way + ", " + failure + ", step " + step;
    steps.failure = failure;
    steps.failing = step;
    Throwable thrown = retire(way, pool, threads.get(0));
    boolean reached = steps.reached();
    steps.failing = 0;
    assertThat(thrown != null).as("%s: the failure is thrown", name).isEqualTo(reached);
    assertThat(totals(pool.snapshot())).as(name).isEqualTo(before);
    PoolInvariants.check(pool);

    ended(way, pool, threads, name);
    assertThat(totals(pool.snapshot())).as("%s: at the end", name).isEqualTo(before);
    PoolInvariants.check(pool);
    checkNothingStays(pool, steps, threads, out, name);
    return reached;
  }

  /** Slots in use, free slots of every kind, and some that another thread released. */
  private static void work(BufferPool pool, List<Block> out) {
    List<Block> own = new ArrayList<>();
    for (int size : SIZES) {
      for (int i = 0; i < 5; i++) {
        Block block = (Block) pool.allocate(size);
        block.stamp(size, System.identityHashCode(block));
        (i == 0 && size != 5000 ? out : own).add(block);
      }
    }
    own.forEach(Block::release);
    if (out.size() > SIZES.length) {
      out.remove(0).release();
    }
  }

  private static Throwable retire(Way way, BufferPool pool, Worker thread) throws Exception {
    return switch (way) {
      case THE_THREADS_ARE_DEAD -> failureOf(pool::tick);
      case A_NEW_THREAD_FINDS_THEM_DEAD -> failureOf(() -> pool.caches.create());
      case THE_THREAD_ITSELF -> thread.call(() -> failureOf(pool::freeCurrentThreadCache));
      case THEY_SLEEP, SHARED -> {
        Throwable failed = null;
        long until = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (failed == null && !isRetired(way, pool) && System.nanoTime() < until) {
          failed = failureOf(pool::tick);
        }
        yield failed;
      }
    };
  }

  private static Throwable failureOf(Runnable task) {
    try {
      task.run();
      return null;
    } catch (OutOfMemoryError | StackOverflowError | IllegalStateException failed) {
      if (!String.valueOf(failed.getMessage()).endsWith("fails for the test")) {
        throw failed;
      }
      return failed;
    }
  }

  private static boolean isRetired(Way way, BufferPool pool) {
    PoolSnapshot snapshot = pool.snapshot();
    return way == Way.SHARED
        ? snapshot.cachedBytes() == 0
        : snapshot.get(PoolStat.THREAD_CACHES_GIVEN_UP) >= way.retired;
  }

  /** Without a failure, the retirement completes. */
  private static void ended(Way way, BufferPool pool, List<Worker> threads, String name)
      throws Exception {
    if (way == Way.THE_THREAD_ITSELF) {
      threads.get(0).run(pool::freeCurrentThreadCache);
    }
    await(name)
        .atMost(Duration.ofSeconds(20))
        .pollInterval(Duration.ofMillis(1))
        .until(
            () -> {
              if (way == Way.THE_THREAD_ITSELF) {
                pool.caches.reap();
              } else {
                pool.tick();
              }
              return isRetired(way, pool);
            });
    assertThat(pool.snapshot().get(PoolStat.THREAD_CACHES_GIVEN_UP))
        .as(name)
        .isEqualTo(way.retired);
  }

  private static void checkNothingStays(
      BufferPool pool, Steps steps, List<Worker> threads, List<Block> out, String name)
      throws Exception {
    for (Worker thread : threads) {
      thread.end();
    }
    out.forEach(Block::release);
    PoolInvariants.check(pool);
    assertThat(pool.snapshot().pinnedBytes()).as(name).isZero();
    pool.close();
    pool.tick();
    PoolInvariants.check(pool);
    assertThat(pool.snapshot().reservedBytes()).as(name).isZero();
    assertThat(steps.regions).as("%s: regions", name).isZero();
  }

  private static void end(List<Worker> threads) throws InterruptedException {
    for (Worker thread : threads) {
      thread.end();
    }
  }
}
