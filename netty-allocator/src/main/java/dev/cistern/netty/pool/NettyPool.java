/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty.pool;

import dev.cistern.memory.MemoryKind;
import dev.cistern.memory.MemorySource;
import dev.cistern.pool.BufferPool;
import dev.cistern.pool.SlotBinder;
import dev.cistern.pool.SlotGroup;
import dev.cistern.stats.PoolSnapshot;
import java.util.concurrent.atomic.AtomicLong;

/** The pool of one kind of memory for one copy of Netty: the engine and its buffers. */
public final class NettyPool implements SlotBinder {
  private static final int MAX_PAGE_BYTES = 8 << 10;
  private static final int MIN_PAGES = 32;

  private final MemoryKind kind;
  private final BufferPool engine;

  /** Number of allocations that moved a buffer. Any thread adds to it. */
  private final AtomicLong moves = new AtomicLong();

  /** Creates a pool with the current settings. */
  public NettyPool(MemoryKind kind, MemorySource source) {
    NettyPoolSettings settings = NettyPoolSettings.current();
    this.kind = kind;
    this.engine =
        BufferPool.builder(kind, NettyFeatures.HOOKS.recorded(source, kind), this)
            .arenas(arenas(settings, source))
            .pageBytes(Math.min(MAX_PAGE_BYTES, settings.chunkBytes() / MIN_PAGES))
            .chunkBytes(settings.chunkBytes())
            .decayMillis(settings.decayMillis())
            .sampleIntervalBytes(settings.sampleIntervalBytes())
            .quarantineBytes(settings.leakLimits().quarantineBytes())
            .maintenanceThread(settings.maintenanceThread())
            .reclaimable(kind == MemoryKind.DIRECT && !settings.maintenanceThread()) // by the agent
            .build();
  }

  /** Returns twice the number of processors, fewer if little memory is allowed. */
  private static int arenas(NettyPoolSettings settings, MemorySource source) {
    if (settings.arenas() > 0) {
      return settings.arenas();
    }
    Runtime runtime = Runtime.getRuntime();
    long memory = Math.min(source.limitBytes(), runtime.maxMemory());
    long byMemory = memory / settings.chunkBytes() / 2 / 3;
    return (int) Math.max(1, Math.min(2L * runtime.availableProcessors(), byMemory));
  }

  /** Returns the engine. */
  public BufferPool engine() {
    return engine;
  }

  /** Returns the bytes of the slot that a request of {@code bytes} gets. */
  int usableBytes(int bytes) {
    return engine.usableBytes(bytes);
  }

  /**
   * Allocates a buffer whose slot replaces a smaller or larger one.
   *
   * @throws OutOfMemoryError also for a fault of the engine: Netty's own buffers throw no other
   *     error when they grow
   */
  public CisternByteBuf allocateToMove(int bytes) {
    try {
      CisternByteBuf target = (CisternByteBuf) engine.allocate(bytes);
      moves.incrementAndGet();
      return target;
    } catch (OutOfMemoryError | StackOverflowError asNetty) {
      throw asNetty;
    } catch (RuntimeException | Error fault) {
      NettyFeatures.HOOKS.moveFailed(fault);
      OutOfMemoryError error =
          new OutOfMemoryError(
              "cannot move a buffer to " + bytes + " bytes, by a fault of Cistern's: " + fault);
      error.initCause(fault);
      throw error;
    }
  }

  /** Returns the number of allocations that moved a buffer. */
  public long moves() {
    return moves.get();
  }

  /** Returns a snapshot of the counters. */
  public PoolSnapshot snapshot() {
    return engine.snapshot();
  }

  @Override
  public Object bind(SlotGroup group, int index) {
    return new CisternByteBuf(group, index);
  }

  @Override
  public void sampled(Object bound, int requestedBytes, long weightBytes) {
    NettyLeakDetector.watchSampled((CisternByteBuf) bound, requestedBytes, weightBytes);
  }

  @Override
  public void exhausted() {
    if (kind == MemoryKind.DIRECT) {
      NettyFeatures.HOOKS.directMemoryExhausted();
    }
  }
}
