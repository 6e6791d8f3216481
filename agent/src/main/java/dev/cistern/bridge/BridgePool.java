/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.memory.MemoryKind;
import dev.cistern.memory.MemorySource;
import dev.cistern.pool.BufferPool;
import dev.cistern.pool.SlotBinder;
import dev.cistern.pool.SlotGroup;
import dev.cistern.stats.PoolSnapshot;
import java.util.concurrent.atomic.AtomicLong;

/** One kind of memory for one copy of Netty: the engine, and the making of its buffers. */
final class BridgePool implements SlotBinder {
  private static final int MAX_PAGE_BYTES = 8 << 10;
  private static final int MIN_PAGES = 32;

  private final MemoryKind kind;
  private final BufferPool engine;

  /** Allocations that only moved a buffer which grew or shrank: added to by any thread. */
  private final AtomicLong moves = new AtomicLong();

  BridgePool(MemoryKind kind, MemorySource source) {
    BridgeSettings settings = BridgeSettings.current();
    this.kind = kind;
    this.engine =
        BufferPool.builder(kind, told(source), this)
            .arenas(arenas(settings, source))
            .pageBytes(Math.min(MAX_PAGE_BYTES, settings.chunkBytes() / MIN_PAGES))
            .chunkBytes(settings.chunkBytes())
            .decayMillis(settings.decayMillis())
            .sampleIntervalBytes(settings.sampleIntervalBytes())
            .maintenanceThread(false) // the agent ticks
            .reclaimable(kind == MemoryKind.DIRECT) // by requests that would be refused
            .build();
  }

  private MemorySource told(MemorySource source) {
    return HostFeatures.EVENTS ? Events.told(source, kind) : source;
  }

  /** Twice the processors, fewer where little memory is allowed (seed row A1). */
  private static int arenas(BridgeSettings settings, MemorySource source) {
    if (settings.arenas() > 0) {
      return settings.arenas();
    }
    Runtime runtime = Runtime.getRuntime();
    long memory = Math.min(source.limitBytes(), runtime.maxMemory());
    long byMemory = memory / settings.chunkBytes() / 2 / 3;
    return (int) Math.max(1, Math.min(2L * runtime.availableProcessors(), byMemory));
  }

  BufferPool engine() {
    return engine;
  }

  int usableBytes(int bytes) {
    return engine.usableBytes(bytes);
  }

  /**
   * Returns a buffer whose slot takes the place of a smaller or larger one.
   *
   * @throws OutOfMemoryError also for a fault of the engine's: Netty's own buffers throw no other
   *     error when they grow
   */
  BridgeBuf allocateToMove(int bytes) {
    try {
      BridgeBuf target = (BridgeBuf) engine.allocate(bytes);
      moves.incrementAndGet();
      return target;
    } catch (OutOfMemoryError | StackOverflowError asNetty) {
      throw asNetty;
    } catch (RuntimeException | Error fault) {
      BridgeHook.INSTANCE.failed(fault);
      OutOfMemoryError error =
          new OutOfMemoryError(
              "cannot move a buffer to " + bytes + " bytes, by a fault of Cistern's: " + fault);
      error.initCause(fault);
      throw error;
    }
  }

  long moves() {
    return moves.get();
  }

  PoolSnapshot snapshot() {
    return engine.snapshot();
  }

  @Override
  public Object bind(SlotGroup group, int index) {
    return kind == MemoryKind.DIRECT
        ? new DirectBridgeBuf(group, index)
        : new HeapBridgeBuf(group, index);
  }

  @Override
  public void sampled(Object bound, int requestedBytes, long weightBytes) {
    Leaks.watchDrawn((BridgeBuf) bound, requestedBytes, weightBytes);
  }

  @Override
  public void exhausted() {
    if (kind == MemoryKind.DIRECT) {
      Exhaustion.add();
    }
  }
}
