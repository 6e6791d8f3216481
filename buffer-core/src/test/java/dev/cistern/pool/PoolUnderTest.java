/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.memory.MemoryKind;
import dev.cistern.stats.PoolSnapshot;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A pool of {@link Block}s for one test. After the test it checks the invariants, releases all
 * slots in use, and checks that all memory is freed to the source.
 */
final class PoolUnderTest implements AfterEachCallback {
  static final int PAGE = 8 << 10;
  static final int CHUNK = 4 << 20;

  final TestSource source = new TestSource();
  final BlockBinder binder = new BlockBinder();
  private final List<BufferPool> pools = new ArrayList<>();
  private final Set<Block> out = Collections.newSetFromMap(new IdentityHashMap<>());
  private final List<Worker> threads = new ArrayList<>();

  /** Opens a pool with one arena and the test's settings, which only the test ticks. */
  BufferPool open(Consumer<PoolSettings.Builder> settings) {
    PoolSettings.Builder builder =
        BufferPool.builder(MemoryKind.HEAP, source, binder).arenas(1).maintenanceThread(false);
    settings.accept(builder);
    BufferPool pool = builder.build();
    pools.add(pool);
    return pool;
  }

  BufferPool open() {
    return open(settings -> {});
  }

  Block allocate(BufferPool pool, int bytes) {
    Block block = (Block) pool.allocate(bytes);
    block.stamp(bytes, System.identityHashCode(block));
    synchronized (out) {
      if (!out.add(block)) {
        throw new AssertionError("handed out twice");
      }
    }
    return block;
  }

  List<Block> allocate(BufferPool pool, int bytes, int count) {
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      blocks.add(allocate(pool, bytes));
    }
    return blocks;
  }

  void release(Block block) {
    synchronized (out) {
      if (!out.remove(block)) {
        throw new AssertionError("not out");
      }
    }
    block.release();
  }

  void release(List<Block> blocks) {
    blocks.forEach(this::release);
  }

  /** Starts a thread that runs until the test ends it, or until the end of the test. */
  Worker thread() {
    Worker thread = new Worker();
    threads.add(thread);
    return thread;
  }

  /** Runs a task in a new thread; returns when the thread has ended. */
  void inOtherThread(Runnable task) throws InterruptedException {
    List<Throwable> failures = new ArrayList<>();
    Thread thread = new Thread(task);
    thread.setUncaughtExceptionHandler((ended, failure) -> failures.add(failure));
    thread.start();
    thread.join();
    for (Throwable failure : failures) {
      throw new AssertionError(failure);
    }
  }

  static PoolSnapshot check(BufferPool pool) {
    PoolInvariants.check(pool);
    return pool.snapshot();
  }

  @Override
  public void afterEach(ExtensionContext context) throws InterruptedException {
    for (Worker thread : threads) {
      thread.end();
    }
    pools.forEach(PoolInvariants::check);
    new ArrayList<>(out).forEach(this::release);
    for (BufferPool pool : pools) {
      PoolInvariants.check(pool);
      pool.close();
      pool.tick();
      PoolInvariants.check(pool);
    }
    if (source.regions() != 0) {
      throw new AssertionError(source.regions() + " regions were not freed");
    }
  }
}
