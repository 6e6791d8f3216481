/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.memory.HeapMemorySource;
import dev.cistern.memory.MemoryKind;
import dev.cistern.memory.MemorySource;
import dev.cistern.memory.Region;
import dev.cistern.testing.GarbageCollection;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** The JVM's one maintenance thread: events that must not end it, and what it must not do. */
class MaintenanceThreadTest {
  private static final Duration MOST = Duration.ofSeconds(30);
  private static final long INTERRUPTING_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final TestSource source = new TestSource();

  private static BufferPool open(MemorySource source) {
    return BufferPool.builder(MemoryKind.HEAP, source, new BlockBinder())
        .arenas(1)
        .decayMillis(0)
        .build();
  }

  private static Thread maintenanceThread() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("cistern-maintenance") && thread.isAlive())
        .findAny()
        .orElseThrow(() -> new AssertionError("no maintenance thread"));
  }

  private static void awaitTicks(BufferPool pool, int ticks) {
    int before = pool.trimRound.get();
    await().atMost(MOST).until(() -> pool.trimRound.get() - before >= ticks);
  }

  @Test
  void interruptsNeitherEndNorHurryIt() {
    BufferPool pool = open(source);
    Thread thread = maintenanceThread();
    int before = pool.trimRound.get();
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < INTERRUPTING_NANOS) {
      thread.interrupt();
      LockSupport.parkNanos(100_000);
    }
    assertThat(pool.trimRound.get() - before).as("ticks in 200 ms").isLessThanOrEqualTo(1);
    awaitTicks(pool, 2);
    assertThat(thread.isAlive()).isTrue();
    assertThat(maintenanceThread()).isSameAs(thread);
    pool.close();
  }

  @Test
  void anInterruptDoesNotMakeItSpin() {
    BufferPool pool = open(source);
    Thread thread = maintenanceThread();
    awaitTicks(pool, 1);
    long cpuBefore = cpuNanos(thread);
    long begin = System.nanoTime();
    thread.interrupt();
    awaitTicks(pool, 2);
    long wall = System.nanoTime() - begin;
    assertThat(cpuNanos(thread) - cpuBefore).as("CPU time in %d ns", wall).isLessThan(wall / 5);
    pool.close();
  }

  private static long cpuNanos(Thread thread) {
    return ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.getId());
  }

  @Test
  void aPoolThatFailsDoesNotStopTheTicksOfOtherPools() {
    BufferPool failing =
        open(
            new MemorySource() {
              private final HeapMemorySource heap = new HeapMemorySource();

              @Override
              public Region allocate(int bytes) {
                return heap.allocate(bytes);
              }

              @Override
              public void free(Region region) {
                throw new IllegalStateException("the test's source does not free");
              }

              @Override
              public long usedBytes() {
                return heap.usedBytes();
              }

              @Override
              public long limitBytes() {
                return heap.limitBytes();
              }
            });
    BufferPool sound = open(source);
    Block kept = (Block) failing.allocate(5 << 20);
    kept.release();
    ((Block) sound.allocate(5 << 20)).release();
    awaitTicks(sound, 2);
    assertThat(source.regions()).isZero();
    sound.close();
    assertThat(failing.snapshot().pinnedBytes()).isZero();
  }

  @Test
  void aClosedEmptyPoolIsDropped() {
    WeakReference<BufferPool> left = new WeakReference<>(closedPool());
    GarbageCollection.until(() -> left.refersTo(null));
  }

  private BufferPool closedPool() {
    BufferPool pool = open(source);
    ((Block) pool.allocate(100)).release();
    pool.close();
    return pool;
  }

  @Test
  void aPoolWithABufferOutIsNotUnreachable() {
    List<Block> held = new ArrayList<>();
    WeakReference<BufferPool> pool = leaveBehind(held);
    BufferPool other = open(source);
    for (int round = 0; round < 2; round++) {
      System.gc();
      awaitTicks(other, 1);
    }
    assertThat(pool.refersTo(null)).as("the pool of a buffer that is out").isFalse();
    assertThat(source.regions()).isEqualTo(3);
    held.forEach(Block::verify);

    held.clear();
    GarbageCollection.until("every region of the pool back", () -> source.regions() == 0);
    assertThat(pool.refersTo(null)).isTrue();
    other.close();
  }

  /** Two chunks and an extent; only a small block is still reachable. */
  private WeakReference<BufferPool> leaveBehind(List<Block> held) {
    BufferPool pool = open(source);
    Block small = (Block) pool.allocate(100);
    small.stamp(100, 1);
    held.add(small);
    pool.allocate(4 << 20);
    pool.allocate(5 << 20);
    return new WeakReference<>(pool);
  }

  /** Uses the only buffer of an unreachable pool, for as long as the test permits. */
  private static final class LateUser {
    private final Block block;
    private final CountDownLatch begun;
    private final CountDownLatch mayEnd;
    private final AtomicReference<Object> outcome;

    LateUser(
        Block block, CountDownLatch begun, CountDownLatch mayEnd, AtomicReference<Object> outcome) {
      this.block = block;
      this.begun = begun;
      this.mayEnd = mayEnd;
      this.outcome = outcome;
    }

    @Override
    @SuppressWarnings({"deprecation", "removal", "Finalize"}) // as host JVMs do
    protected void finalize() throws InterruptedException {
      begun.countDown();
      boolean unused = mayEnd.await(30, TimeUnit.SECONDS);
      try {
        block.verify();
        block.release();
        outcome.set("released");
      } catch (Throwable failed) {
        outcome.set(failed);
      }
    }
  }

  private void leaveToFinalizer(
      CountDownLatch begun, CountDownLatch mayEnd, AtomicReference<Object> outcome) {
    Block block = (Block) open(source).allocate(5 << 20);
    block.stamp(5 << 20, 1);
    Object unused = new LateUser(block, begun, mayEnd, outcome);
  }

  @Test
  void aFinalizerMayUseAndReleaseTheLastBufferOfAPool() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    AtomicReference<Object> outcome = new AtomicReference<>();
    leaveToFinalizer(begun, mayEnd, outcome);
    TestSource others = new TestSource();
    BufferPool other = open(others);
    GarbageCollection.until("the finalizer runs", () -> begun.getCount() == 0);
    for (int round = 0; round < 2; round++) {
      System.gc();
      awaitTicks(other, 1);
    }
    assertThat(source.regions()).as("regions while the finalizer runs").isEqualTo(1);
    mayEnd.countDown();
    GarbageCollection.until(
        "every region of the pool back", () -> source.regions() == 0 && outcome.get() != null);
    assertThat(outcome.get()).isEqualTo("released");
    assertThat(source.doubleFrees()).isZero();
    other.close();
  }

  @Test
  void aRegionIsFreedOnce() {
    PoolRegions regions = new PoolRegions(source);
    Region region = regions.allocate(100);
    regions.freeAll();
    regions.free(region);
    assertThat(source.regions()).isZero();
    assertThat(source.doubleFrees()).isZero();
    assertThat(regions.reservedBytes()).isZero();
  }
}
