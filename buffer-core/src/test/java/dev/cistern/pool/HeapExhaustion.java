/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.memory.DirectMemoryLimit;
import dev.cistern.memory.DirectMemorySource;
import dev.cistern.memory.MemoryKind;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.SizeGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A separate program, for a JVM with a small heap. Threads allocate native memory from a pool and
 * release slots of each other, while other threads fill the Java heap, free it, and fill it again.
 * So every allocation of a Java object in the engine fails at some time. At the end nothing may be
 * lost. Exit status 0 if that holds; arguments: seed, milliseconds, thread caches.
 */
final class HeapExhaustion {
  private static final int MIN_TIMES_FULL = 3;

  /** The most extra time on a busy machine, until the heap was full often enough. */
  private static final long PATIENCE_NANOS = 30_000_000_000L;

  /** After this time, every thread has loaded the classes that it needs. */
  private static final long WARM_UP_NANOS = 500_000_000L;

  private static final int ALLOCATORS = 3;
  private static final int FILLERS = 2;
  private static final int HELD = 400;
  private static final int EXCHANGED = 64;
  private static final int[] FILL_BYTES = {1 << 20, 64 << 10, 4 << 10, 256, 16};

  private final long seed;
  private final long endNanos;
  private final long fullFromNanos;
  private final DirectMemoryLimit limit = new DirectMemoryLimit(256L << 20);
  private final BufferPool pool;
  private final AtomicReferenceArray<Block> exchange = new AtomicReferenceArray<>(EXCHANGED);
  private volatile Throwable failure;
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong allocated = new AtomicLong();
  private final AtomicLong heapFull = new AtomicLong();

  private HeapExhaustion(long seed, long millis, boolean threadCaches) {
    this.seed = seed;
    long beginNanos = System.nanoTime();
    this.endNanos = beginNanos + TimeUnit.MILLISECONDS.toNanos(millis);
    this.fullFromNanos = beginNanos + Math.max(WARM_UP_NANOS, (endNanos - beginNanos) / 4);
    this.pool =
        BufferPool.builder(
                MemoryKind.DIRECT, new DirectMemorySource(limit, 0, false), new BlockBinder())
            .arenas(2)
            .chunkBytes(1 << 20)
            .threadCaches(threadCaches)
            .sharedCaches(2)
            .decayMillis(5)
            .quarantineBytes(4L << 20)
            .maintenanceThread(false)
            .build();
  }

  public static void main(String[] arguments) throws InterruptedException {
    HeapExhaustion program =
        new HeapExhaustion(
            Long.parseLong(arguments[0]),
            Long.parseLong(arguments[1]),
            Boolean.parseBoolean(arguments[2]));
    program.run();
    System.exit(program.failure == null ? 0 : 1);
  }

  private void run() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < ALLOCATORS; i++) {
      SplittableRandom random = new SplittableRandom(seed + i);
      threads.add(new Thread(() -> guard(() -> allocateAndRelease(random)), "allocator"));
    }
    for (int i = 0; i < FILLERS; i++) {
      threads.add(new Thread(() -> guard(this::fillTheHeap), "filler"));
    }
    threads.add(new Thread(() -> guard(this::tick), "tick"));
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    if (failure == null) {
      guard(this::nothingIsLost);
    }
    System.out.println(
        allocated + " allocations, " + refused + " refused, the heap was full " + heapFull);
    if (failure != null) {
      failure.printStackTrace();
    }
  }

  private boolean isOver() {
    long lateNanos = System.nanoTime() - endNanos;
    boolean isEnough = heapFull.get() >= MIN_TIMES_FULL || lateNanos >= PATIENCE_NANOS;
    return failure != null || (lateNanos >= 0 && isEnough);
  }

  private void guard(Runnable task) {
    try {
      task.run();
    } catch (Throwable thrown) {
      failure = thrown; // needs no memory; keeps the last one
    }
  }

  /** Needs no memory after its start, so that each error is from the pool. */
  private void allocateAndRelease(SplittableRandom random) {
    Block[] held = new Block[HELD];
    long tag = 0;
    while (!isOver()) {
      int place = random.nextInt(HELD);
      Block before = held[place];
      held[place] = null;
      if (before != null && random.nextInt(4) == 0) {
        before = exchange.getAndSet(random.nextInt(EXCHANGED), before);
      }
      if (before != null) {
        release(before, random.nextInt(4) == 0); // must not fail, even if memory is short
      }
      int bytes = anySize(random);
      try {
        held[place] = (Block) pool.allocate(bytes);
      } catch (OutOfMemoryError expected) {
        refused.getAndIncrement();
        continue;
      }
      held[place].stamp(bytes, ++tag);
      allocated.getAndIncrement();
      if (random.nextInt(20_000) == 0) {
        giveUpCache();
      }
    }
    for (Block block : held) {
      if (block != null) {
        block.release();
      }
    }
  }

  private static void release(Block block, boolean afterRest) {
    if (afterRest) {
      block.group.unbind(block.index);
      block.group.releaseToQuarantine(block.index);
    } else {
      block.release();
    }
  }

  private void giveUpCache() {
    try {
      pool.freeCurrentThreadCache();
    } catch (OutOfMemoryError expected) {
      refused.getAndIncrement();
    }
  }

  private static int anySize(SplittableRandom random) {
    int kind = random.nextInt(100);
    if (kind < 80) {
      return random.nextInt(20_000);
    }
    return random.nextInt(kind < 99 ? 200_000 : 2_000_000);
  }

  /**
   * Fills the heap to the last bytes for a moment, and frees it. Not from the start: a class whose
   * first use fails because there is no memory can never be used again.
   */
  private void fillTheHeap() {
    while (System.nanoTime() < fullFromNanos) {
      Thread.onSpinWait();
    }
    while (!isOver()) {
      Object[] last = null;
      for (int bytes : FILL_BYTES) {
        try {
          while (!isOver()) {
            last = new Object[] {last, new byte[bytes]};
          }
        } catch (OutOfMemoryError full) {
          heapFull.getAndIncrement();
        }
      }
      long until = System.nanoTime() + 2_000_000;
      while (System.nanoTime() < until && last != null) {
        Thread.onSpinWait();
      }
    }
  }

  private void tick() {
    while (!isOver()) {
      try {
        pool.tick();
        pool.snapshot();
      } catch (OutOfMemoryError expected) {
        refused.getAndIncrement();
      }
      Thread.onSpinWait();
    }
  }

  private void nothingIsLost() {
    for (int i = 0; i < EXCHANGED; i++) {
      Block block = exchange.getAndSet(i, null);
      if (block != null) {
        block.release();
      }
    }
    PoolInvariants.check(pool);
    pool.quarantine.release(0);
    PoolSnapshot snapshot = pool.snapshot();
    for (SizeGroup group : SizeGroup.values()) {
      require(group + " in use", snapshot.allocations(group), snapshot.deallocations(group));
    }
    require("pinned", snapshot.pinnedBytes(), 0);
    ((Block) pool.allocate(1000)).release();
    pool.close();
    pool.tick();
    PoolInvariants.check(pool);
    require("bytes that were not freed", limit.usedBytes(), 0);
    if (heapFull.get() < MIN_TIMES_FULL) {
      throw new AssertionError("the heap was not short: this run shows nothing");
    }
  }

  private static void require(String what, long found, long expected) {
    if (found != expected) {
      throw new AssertionError(what + ": " + found + ", expected " + expected);
    }
  }
}
