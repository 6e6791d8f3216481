/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.memory.Region;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BooleanSupplier;

/**
 * Runs a pool with threads that start, sleep and end, for some time, and checks it repeatedly: each
 * slot against the {@link OwnershipModel}, its bytes at release, and, each time that all threads
 * pause, the statistics and the invariants of the whole pool.
 */
final class StressRun {
  private static final int MAX_THREAD_OPERATIONS = 60_000;
  private static final int MAX_BURST_OPERATIONS = 4000;
  private static final int OPERATIONS_BETWEEN_RESTS = 32;
  private static final long HELD_BYTES = 64L << 20;
  private static final long REST_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(60);

  final OwnershipModel model;
  long threadsStarted;
  long rests;
  final AtomicLong ticks = new AtomicLong();

  private final BufferPool pool;
  private final WatchedSource source;
  private final SplittableRandom random;
  private final int chunkBytes;
  private final int platformThreads;
  private final int virtualThreads;

  /** Shared by the threads that work, exclusive for a check of the pool at rest. */
  private final ReentrantReadWriteLock gate = new ReentrantReadWriteLock(true);

  private final Queue<Block> handedOver = new ConcurrentLinkedQueue<>();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final AtomicLong tags = new AtomicLong();
  private volatile boolean over;

  StressRun(BufferPool pool, WatchedSource source, long seed, int platform, int virtual) {
    this.pool = pool;
    this.source = source;
    this.random = new SplittableRandom(seed);
    this.chunkBytes = pool.settings().chunkBytes();
    this.platformThreads = platform;
    this.virtualThreads = virtual;
    this.model = new OwnershipModel(pool.sizeClasses.count());
    source.watch(model);
  }

  /**
   * Runs for at least the given time, and longer on a busy machine: until {@code isEnough}, or up
   * to {@link #PATIENCE_NANOS}. Then releases everything.
   */
  void run(long nanos, BooleanSupplier isEnough) throws Exception {
    long end = System.nanoTime() + nanos;
    long latest = end + PATIENCE_NANOS;
    SplittableRandom ticking = random.split();
    Thread ticker = new Thread(() -> guard(() -> tick(ticking)), "stress-tick");
    ticker.start();
    List<Life> platform = new ArrayList<>();
    List<Life> virtual = new ArrayList<>();
    long nextRest = System.nanoTime() + REST_EVERY_NANOS;
    while (failure.get() == null
        && System.nanoTime() < latest
        && (System.nanoTime() < end || !isEnough.getAsBoolean())) {
      refill(platform, platformThreads, false);
      refill(virtual, virtualThreads, true);
      LockSupport.parkNanos(5_000_000);
      if (System.nanoTime() >= nextRest) {
        rest();
        nextRest = System.nanoTime() + REST_EVERY_NANOS;
      }
    }
    over = true;
    platform.addAll(virtual);
    awaitEnd(platform, ticker);
    if (failure.get() == null) {
      for (Block block = handedOver.poll(); block != null; block = handedOver.poll()) {
        release(block);
      }
      rest();
    }
    Throwable thrown = failure.get();
    if (thrown != null) {
      throw new AssertionError("a stress thread failed: " + thrown, thrown);
    }
  }

  private static void awaitEnd(List<Life> lives, Thread ticker) throws InterruptedException {
    long deadline = System.nanoTime() + STUCK_NANOS;
    while (ticker.isAlive() || lives.stream().anyMatch(Life::isLiving)) {
      if (System.nanoTime() > deadline) {
        StringBuilder stacks = new StringBuilder("threads are stuck:");
        for (ThreadInfo thread : ManagementFactory.getThreadMXBean().dumpAllThreads(true, true)) {
          stacks.append('\n').append(thread);
        }
        throw new AssertionError(stacks.toString());
      }
      ticker.join(2);
    }
  }

  /** A thread with its blocks, which ends after some time. */
  private interface Life {
    boolean isLiving();
  }

  private void refill(List<Life> living, int count, boolean isVirtual)
      throws ReflectiveOperationException {
    living.removeIf(life -> !life.isLiving());
    while (living.size() < count) {
      Holder holder = new Holder(random.split());
      living.add(isVirtual ? startVirtual(holder) : startPlatform(holder));
      threadsStarted++;
    }
  }

  /** Uses an executor: between bursts its thread sleeps without a frame of the pool. */
  @SuppressWarnings("FutureReturnValueIgnored") // it cannot fail, see guard
  private Life startPlatform(Holder holder) {
    ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1);
    executor.execute(() -> burst(executor, holder));
    return () -> !executor.isTerminated();
  }

  @SuppressWarnings("FutureReturnValueIgnored") // it cannot fail, see guard
  private void burst(ScheduledThreadPoolExecutor executor, Holder holder) {
    guard(holder::burst);
    if (holder.isAtEnd()) {
      holder.end();
      executor.shutdown();
    } else {
      executor.schedule(() -> burst(executor, holder), holder.napNanos(), TimeUnit.NANOSECONDS);
    }
  }

  /** Uses reflection, because the code is compiled for Java 17. */
  private Life startVirtual(Holder holder) throws ReflectiveOperationException {
    Runnable life =
        () -> {
          while (!holder.isAtEnd()) {
            guard(holder::burst);
            LockSupport.parkNanos(holder.napNanos());
          }
          holder.end();
        };
    Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
    Thread thread = (Thread) start.invoke(null, life);
    return thread::isAlive;
  }

  private void guard(Runnable task) {
    try {
      task.run();
    } catch (Throwable thrown) {
      failure.compareAndSet(null, thrown);
    }
  }

  /** Checks the pool while all threads pause: then all statistics are exact. */
  private void rest() {
    gate.writeLock().lock();
    try {
      if (failure.get() == null) {
        model.check(pool.snapshot());
        PoolInvariants.check(pool);
        rests++;
      }
    } catch (AssertionError broken) {
      failure.compareAndSet(null, broken);
    } finally {
      gate.writeLock().unlock();
    }
  }

  /** Ticks far more often than the maintenance thread does, and reads every figure. */
  private void tick(SplittableRandom own) {
    while (!over && failure.get() == null) {
      gate.readLock().lock();
      try {
        pool.tick();
        ticks.incrementAndGet();
        int arena = own.nextInt(pool.settings().arenas());
        pool.chunks(arena).forEach(chunk -> assertThat(chunk.freeBytes()).isNotNegative());
        pool.subpages(arena).forEach(subpage -> assertThat(subpage.freeSlots()).isNotNegative());
        look();
      } finally {
        gate.readLock().unlock();
      }
      LockSupport.parkNanos(own.nextInt(1, 10_000_000));
    }
  }

  private void look() {
    var snapshot = pool.snapshot();
    assertThat(snapshot.pinnedBytes()).isBetween(0L, snapshot.reservedBytes());
    assertThat(snapshot.cachedBytes()).isNotNegative();
    assertThat(snapshot.freeBytes()).isNotNegative();
  }

  private void enter(Block block, int requested) {
    Region region = block.group.region();
    long start = source.start(region) + block.group.offset(block.index);
    int sizeClass = requested > chunkBytes ? OwnershipModel.HUGE : pool.sizeClasses.of(requested);
    model.enter(start, block.slotBytes(), sizeClass, requested);
    block.stamp(requested, tags.incrementAndGet());
  }

  private void release(Block block) {
    block.verify();
    model.leave(source.start(block));
    block.group.release(block.index);
  }

  /** The blocks of one thread. */
  private final class Holder {
    private final SplittableRandom random;
    private final List<Block> held = new ArrayList<>();
    private final long mostHeldBytes = HELD_BYTES / (platformThreads + virtualThreads);
    private int operationsLeft;
    private long heldBytes;

    Holder(SplittableRandom random) {
      this.random = random;
      this.operationsLeft = random.nextInt(1, MAX_THREAD_OPERATIONS);
    }

    boolean isAtEnd() {
      return operationsLeft <= 0 || over || failure.get() != null;
    }

    void end() {
      handedOver.addAll(held);
    }

    void burst() {
      int most = random.nextInt(1, MAX_BURST_OPERATIONS);
      for (int done = 0; done < most && !isAtEnd(); done += OPERATIONS_BETWEEN_RESTS) {
        work();
        operationsLeft -= OPERATIONS_BETWEEN_RESTS;
      }
    }

    /** Sleeps mostly for a short time; sometimes long enough to lose the cache. */
    long napNanos() {
      return random.nextInt(20) == 0 ? random.nextInt(30_000_000) : random.nextInt(100_000);
    }

    private void work() {
      gate.readLock().lock();
      try {
        for (int i = 0; i < OPERATIONS_BETWEEN_RESTS && failure.get() == null; i++) {
          step(random.nextInt(1000));
        }
      } finally {
        gate.readLock().unlock();
      }
    }

    private void step(int choice) {
      if (choice < 460 && heldBytes < mostHeldBytes) {
        allocate(anySize());
      } else if (choice < 800 && !held.isEmpty()) {
        release(takeAny());
      } else if (choice < 860 && !held.isEmpty()) {
        handedOver.add(takeAny());
      } else if (choice < 960) {
        releaseHandedOver();
      } else if (choice < 980 && !held.isEmpty()) {
        grow();
      } else if (choice < 990 && !held.isEmpty()) {
        Block block = held.get(random.nextInt(held.size()));
        block.group.unbind(block.index);
      } else if (choice >= 998) {
        rareStep(random.nextInt(100));
      }
    }

    private void rareStep(int choice) {
      if (choice < 50) {
        pool.trimCurrentThreadCache();
      } else if (choice < 75) {
        pool.snapshot();
      } else if (choice < 90) {
        pool.freeCurrentThreadCache();
      } else {
        int most = held.size(); // sometimes a thread releases all
        for (int i = 0; i < most; i++) {
          release(takeAny());
        }
      }
    }

    private void allocate(int bytes) {
      Block block = allocateOrNull(bytes);
      if (block != null) {
        held.add(block);
        heldBytes += bytes;
      }
    }

    private Block allocateOrNull(int bytes) {
      Block block;
      try {
        block = (Block) pool.allocate(bytes);
      } catch (OutOfMemoryError error) {
        if (!WatchedSource.isRefusal(error)) {
          throw error;
        }
        model.refused();
        return null;
      }
      enter(block, bytes);
      return block;
    }

    /** Returns a size: mostly small, at the limits of classes, a few above the chunk. */
    private int anySize() {
      int kind = random.nextInt(1000);
      if (kind < 600) {
        return random.nextInt(0, 2049);
      } else if (kind < 750) {
        return random.nextInt(2048, 40_000);
      } else if (kind < 840) {
        return random.nextInt(40_000, 300_000);
      } else if (kind < 990) {
        int sizeClass = random.nextInt(pool.sizeClasses.count());
        return pool.sizeClasses.bytes(sizeClass) + random.nextInt(-1, 2);
      }
      return random.nextInt(300_000, kind < 998 ? chunkBytes + 1 : 3 * chunkBytes);
    }

    /** Moves an object to another slot, as a buffer that outgrows its slot does. */
    private void grow() {
      Block block = held.get(random.nextInt(held.size()));
      int before = block.requestedBytes();
      int bytes = (int) Math.min(before * 2L + 1, 2L * chunkBytes);
      if (bytes <= block.slotBytes()) {
        return;
      }
      Block fresh = allocateOrNull(bytes);
      if (fresh == null) {
        return;
      }
      block.verify();
      fresh.verify();
      heldBytes += bytes - before;
      long left = source.start(block);
      SlotGroup freshGroup = fresh.group;
      int freshIndex = fresh.index;
      SlotGroup.exchange(block.group, block.index, freshGroup, freshIndex);
      fresh.place(block.group, block.index);
      block.place(freshGroup, freshIndex);
      block.stamp(bytes, tags.incrementAndGet());
      model.leave(left);
      fresh.group.release(fresh.index);
    }

    private Block takeAny() {
      Block block = Block.takeAny(held, random);
      heldBytes -= block.requestedBytes();
      return block;
    }

    private void releaseHandedOver() {
      Block block = handedOver.poll();
      if (block != null) {
        release(block);
      }
    }
  }
}
