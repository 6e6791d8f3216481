/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.bridge.api.BridgeOptions;
import dev.cistern.bridge.channel.ChannelWatch;
import dev.cistern.leak.ChunkUse;
import dev.cistern.leak.Holder;
import dev.cistern.leak.LeakTracker;
import dev.cistern.leak.WatchFailures;
import dev.cistern.memory.MemoryKind;
import dev.cistern.memory.MemorySource;
import dev.cistern.netty.pool.CisternByteBuf;
import dev.cistern.netty.pool.PoolHooks;
import io.netty.buffer.AbstractByteBuf;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CisternEvents;
import io.netty.buffer.CisternHook;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.internal.PlatformDependent;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Connects the pools to classes that the agent defines in Netty's own package: Netty's flight
 * recorder events, and its metrics.
 */
final class BridgeHooks extends PoolHooks {
  /** Whether the compatibility check found Netty's event classes. */
  private final boolean events;

  /** Whether Netty's recording wrapper accepts a tracker. */
  private final boolean isLeakAware;

  /** Size of a chunk; larger memory serves one buffer. */
  private final int chunkBytes;

  /** The channels of this copy; null if it lacks Netty's transport. */
  private final @Nullable ChannelWatch channels;

  /** Number of times that native memory ran out. Any thread adds to it. */
  private final AtomicLong exhaustions = new AtomicLong();

  /** The agent's thread, which an exhaustion wakes; null before a mode is set. */
  private volatile @Nullable Thread agentThread;

  BridgeHooks(BridgeOptions options) {
    this.events = options.hasEvents();
    this.isLeakAware = options.isLeakAware();
    this.chunkBytes = options.settings().chunkBytes();
    this.channels = options.hasChannels() ? new ChannelWatch() : null;
  }

  @Nullable ChannelWatch channels() {
    return channels;
  }

  @Override
  public void allocatorUsed(AbstractByteBufAllocator allocator) {
    KnownAllocators.see(allocator);
  }

  @Override
  public boolean isTest(ByteBufAllocator allocator) {
    return allocator instanceof SelfTest.Allocator;
  }

  @Override
  public ByteBuf leakAware(ByteBuf buffer) {
    return CisternHook.leakAware(buffer);
  }

  /** One wrapper reports to both trackers: Cistern's, and Netty's own if there is one. */
  @Override
  public ByteBuf recorded(
      CisternByteBuf buffer, ByteBuf seen, LeakTracker<CisternByteBuf> tracker) {
    if (!isLeakAware || !tracker.isTraced()) {
      return seen;
    }
    boolean isRecordedByHost = CisternHook.isRecorded(seen);
    return CisternHook.leakAware(
        buffer,
        (host, isOfCounts) -> new RecordedTracker(tracker, host, isRecordedByHost, isOfCounts),
        CisternHook.trackerOf(seen));
  }

  /**
   * Returns a retained slice. One of the pooled allocator has its own reference count; one of the
   * adaptive allocator does not.
   */
  @Override
  public @Nullable ByteBuf retainedSlice(AbstractByteBuf buffer, int index, int length) {
    return buffer.alloc() instanceof PooledByteBufAllocator
        ? CisternHook.retainedSliceOf(buffer, index, length)
        : null;
  }

  @Override
  public @Nullable ByteBuf retainedDuplicate(AbstractByteBuf buffer) {
    return buffer.alloc() instanceof PooledByteBufAllocator
        ? CisternHook.retainedDuplicateOf(buffer)
        : null;
  }

  @Override
  public void moveFailed(Throwable fault) {
    BridgeHook.INSTANCE.addFault(fault);
  }

  /** Returns true, because Netty serves a refused allocation from its own chunks. */
  @Override
  public boolean hasFallback() {
    return true;
  }

  /** Wakes the agent's thread. Runs on a thread of the host, so it neither waits nor allocates. */
  @Override
  public void directMemoryExhausted() {
    exhaustions.incrementAndGet();
    LockSupport.unpark(agentThread);
  }

  @Override
  public Holder holder(Object hint) {
    Holder handler = channels == null ? null : channels.handler(hint);
    return handler == null ? super.holder(hint) : handler;
  }

  long exhaustions() {
    return exhaustions.get();
  }

  void wakeOnExhaustion(Thread thread) {
    agentThread = thread;
  }

  @Override
  public @Nullable ChunkUse chunkUse(Object buffer) {
    try {
      return Observation.chunkUse(buffer);
    } catch (LinkageError otherNetty) { // the compatibility check refuses to observe such a Netty
      return null;
    }
  }

  // ---- events of the flight recorder; a failure loses only the event

  /** Found by its name, because Netty 4.1 has no such method. */
  @Override
  public boolean hasEvents() {
    if (!events) {
      return false;
    }
    try {
      boolean isOn =
          Boolean.TRUE.equals(PlatformDependent.class.getMethod("isJfrEnabled").invoke(null));
      if (isOn) { // an event class that does not work fails here and not in an allocation
        boolean unused = CisternEvents.load();
      }
      return isOn;
    } catch (ReflectiveOperationException | LinkageError netty41) {
      return false;
    }
  }

  @Override
  public boolean recordsAllocations() {
    return CisternEvents.recordsAllocations();
  }

  @Override
  public boolean recordsReleases() {
    return CisternEvents.recordsReleases();
  }

  @Override
  public void bufferAllocated(CisternByteBuf buffer, long address, boolean fromOwnCache) {
    try {
      if (!isTest(buffer.alloc())) {
        boolean isPooled = buffer.slotBytes() <= chunkBytes;
        CisternEvents.allocated(buffer, address, isPooled, isPooled && fromOwnCache);
      }
    } catch (Throwable failure) {
      WatchFailures.add(failure);
    }
  }

  @Override
  public void bufferMoves(CisternByteBuf buffer, long address, int newCapacity) {
    try {
      if (!isTest(buffer.alloc())) {
        CisternEvents.moves(buffer, address, newCapacity);
      }
    } catch (Throwable failure) {
      WatchFailures.add(failure);
    }
  }

  @Override
  public void bufferReleased(CisternByteBuf buffer, long address) {
    try {
      if (!isTest(buffer.alloc())) {
        CisternEvents.freed(buffer, address);
      }
    } catch (Throwable failure) {
      WatchFailures.add(failure);
    }
  }

  @Override
  public MemorySource recorded(MemorySource source, MemoryKind kind) {
    return hasEvents() ? new RecordedSource(source, kind == MemoryKind.DIRECT, chunkBytes) : source;
  }
}
