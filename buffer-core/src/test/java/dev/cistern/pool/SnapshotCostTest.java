/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.cistern.memory.MemoryKind;
import dev.cistern.memory.MemorySource;
import dev.cistern.memory.Region;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.SizeGroup;
import dev.cistern.testing.Latches;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The cost of a snapshot of a large pool: 64 arenas, 200 thread caches, every size class. */
@Tag("F2")
@Tag("full")
@Tag("alone")
class SnapshotCostTest {
  private static final int ARENAS = 64;
  private static final int THREADS = 200;
  private static final int WARM_UP = 2_000;
  private static final int SNAPSHOTS = 400;
  private static final long LIMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long LIMIT_GARBAGE_BYTES = 64 << 10;

  private final BufferPool pool =
      BufferPool.builder(MemoryKind.DIRECT, new NoMemory(), new Binder())
          .arenas(ARENAS)
          .maintenanceThread(false)
          .build();
  private final Queue<Slot> passedOn = new ConcurrentLinkedQueue<>();

  /** Memory that is only counted. */
  private static final class NoMemory implements MemorySource {
    @Override
    public Region allocate(int bytes) {
      return new Region(null, 0, ByteBuffer.allocate(0), bytes, null);
    }

    @Override
    public void free(Region region) {
      // it has none
    }

    @Override
    public long usedBytes() {
      return 0;
    }

    @Override
    public long limitBytes() {
      return Long.MAX_VALUE;
    }
  }

  private record Slot(SlotGroup group, int index) {
    void release() {
      group.release(index);
    }
  }

  private static final class Binder implements SlotBinder {
    @Override
    public Object bind(SlotGroup group, int index) {
      return new Slot(group, index);
    }

    @Override
    public void sampled(Object bound, int requestedBytes, long weightBytes) {
      // irrelevant here
    }
  }

  /** Allocates and releases in every class, then releases a slot of another thread. */
  private void touchAllClasses() {
    for (int bytes : pool.sizeClasses.allBytes()) {
      ((Slot) pool.allocate(bytes)).release();
    }
    Slot others = passedOn.poll();
    if (others != null) {
      others.release();
    }
    passedOn.add((Slot) pool.allocate(1000));
  }

  @Test
  void takesLessThanTwoMilliseconds() throws InterruptedException {
    CountDownLatch touched = new CountDownLatch(THREADS);
    CountDownLatch end = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Thread thread =
          new Thread(
              () -> {
                touchAllClasses();
                touched.countDown();
                Latches.await(end, 600);
              });
      threads.add(thread);
      thread.start();
    }
    try {
      Latches.await(touched, 60);
      measure();
    } finally {
      end.countDown();
      for (Thread thread : threads) {
        thread.join();
      }
    }
    PoolInvariants.check(pool);
  }

  private void measure() {
    PoolSnapshot snapshot = pool.snapshot();
    assertThat(snapshot.threadCaches()).isEqualTo(THREADS);
    int classes = snapshot.sizeClasses();
    assertThat(snapshot.allocations(SizeGroup.SMALL) + snapshot.allocations(SizeGroup.NORMAL))
        .isEqualTo(THREADS * (classes + 1L));
    for (int i = 0; i < WARM_UP; i++) {
      pool.snapshot();
    }
    ThreadMXBean bean = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    long garbageBefore = bean.getThreadAllocatedBytes(thread);
    long[] nanos = new long[SNAPSHOTS];
    for (int i = 0; i < SNAPSHOTS; i++) {
      long start = System.nanoTime();
      pool.snapshot();
      nanos[i] = System.nanoTime() - start;
    }
    long garbage = (bean.getThreadAllocatedBytes(thread) - garbageBefore) / SNAPSHOTS;
    Arrays.sort(nanos);
    String figures =
        String.format(
            "snapshot of %d arenas, %d thread caches, %d classes: median %d us, quartile %d us,"
                + " best %d us, %d bytes of garbage",
            ARENAS,
            THREADS,
            classes,
            nanos[SNAPSHOTS / 2] / 1000,
            nanos[SNAPSHOTS / 4] / 1000,
            nanos[0] / 1000,
            garbage);
    System.out.println(figures);
    assertThat(nanos[SNAPSHOTS / 2]).as(figures).isLessThan(LIMIT_NANOS);
    assertThat(garbage).as(figures).isLessThan(LIMIT_GARBAGE_BYTES);
  }
}
