/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.memory.MemoryKind;
import dev.cistern.memory.MemorySource;
import dev.cistern.netty.pool.CisternByteBuf;
import dev.cistern.netty.pool.PoolHooks;
import io.netty.buffer.AbstractByteBuf;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CisternEvents;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakTracker;
import io.netty.util.internal.PlatformDependent;
import org.jspecify.annotations.Nullable;

/**
 * Connects the pools to classes that the agent defines in Netty's own package: Netty's flight
 * recorder events, and its metrics.
 */
final class BridgeHooks extends PoolHooks {
  /** Whether the structure check found Netty's event classes. */
  private final boolean events;

  BridgeHooks(boolean events) {
    this.events = events;
  }

  @Override
  public void allocatorUsed(AbstractByteBufAllocator allocator) {
    Allocators.see(allocator);
  }

  @Override
  public boolean isTest(ByteBufAllocator allocator) {
    return allocator instanceof SelfTest.Allocator;
  }

  @Override
  public ByteBuf leakAware(ByteBuf buffer) {
    return BridgeHook.leakAwareOf(buffer);
  }

  @Override
  public ByteBuf leakAware(ByteBuf buffer, ResourceLeakTracker<ByteBuf> tracker) {
    return BridgeHook.recordingOf(buffer, tracker);
  }

  @Override
  public @Nullable ResourceLeakTracker<ByteBuf> trackerOf(ByteBuf wrapper) {
    return BridgeHook.trackerIn(wrapper);
  }

  @Override
  public boolean isRecorded(ByteBuf wrapper) {
    return BridgeHook.isRecordedIn(wrapper);
  }

  /** Retained slices of the pooled allocator count for themselves, those of the adaptive do not. */
  @Override
  public boolean hasOwnCounts(ByteBufAllocator allocator) {
    return allocator instanceof PooledByteBufAllocator;
  }

  @Override
  public ByteBuf retainedSlice(AbstractByteBuf buffer, int index, int length) {
    return BridgeHook.retainedSlice(buffer, index, length);
  }

  @Override
  public ByteBuf retainedDuplicate(AbstractByteBuf buffer) {
    return BridgeHook.retainedDuplicate(buffer);
  }

  @Override
  public void moveFailed(Throwable fault) {
    BridgeHook.INSTANCE.failed(fault);
  }

  /** The agent serves a refused allocation from a chunk of Netty's. */
  @Override
  public boolean hasFallback() {
    return true;
  }

  @Override
  public void directMemoryExhausted() {
    DirectMemoryExhaustion.add();
  }

  @Override
  public void poolsMade() {
    HostView.poolsAreMade();
  }

  // ---- events of the flight recorder

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
    Events.allocated(buffer, address, fromOwnCache);
  }

  @Override
  public void bufferMoves(CisternByteBuf buffer, long address, int newCapacity) {
    Events.moves(buffer, address, newCapacity);
  }

  @Override
  public void bufferReleased(CisternByteBuf buffer, long address) {
    Events.freed(buffer, address);
  }

  @Override
  public MemorySource recorded(MemorySource source, MemoryKind kind) {
    return hasEvents() ? Events.recorded(source, kind) : source;
  }
}
