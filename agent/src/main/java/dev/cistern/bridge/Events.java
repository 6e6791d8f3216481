/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.leak.WatchFailures;
import dev.cistern.memory.MemoryKind;
import dev.cistern.memory.MemorySource;
import dev.cistern.memory.Region;
import dev.cistern.netty.pool.CisternByteBuf;
import dev.cistern.netty.pool.NettyPoolSettings;
import io.netty.buffer.CisternEvents;

/**
 * Netty's own events of the flight recorder, for our buffers and chunks. Only to be called where
 * {@link BridgeHooks#hasEvents} says that this copy has them. A failure costs the event only.
 */
final class Events {
  /** Above, memory is not cut up for several buffers. */
  private static final int CHUNK_BYTES = NettyPoolSettings.current().chunkBytes();

  private Events() {}

  static void allocated(CisternByteBuf buffer, long address, boolean fromOwnCache) {
    try {
      if (!(buffer.alloc() instanceof SelfTest.Allocator)) {
        boolean isPooled = buffer.slotBytes() <= CHUNK_BYTES;
        CisternEvents.allocated(buffer, address, isPooled, isPooled && fromOwnCache);
      }
    } catch (Throwable failure) {
      WatchFailures.add(failure);
    }
  }

  static void moves(CisternByteBuf buffer, long address, int newCapacity) {
    try {
      if (!(buffer.alloc() instanceof SelfTest.Allocator)) {
        CisternEvents.moves(buffer, address, newCapacity);
      }
    } catch (Throwable failure) {
      WatchFailures.add(failure);
    }
  }

  static void freed(CisternByteBuf buffer, long address) {
    try {
      if (!(buffer.alloc() instanceof SelfTest.Allocator)) {
        CisternEvents.freed(buffer, address);
      }
    } catch (Throwable failure) {
      WatchFailures.add(failure);
    }
  }

  /** Returns a source that writes an event for each region that it allocates or frees. */
  static MemorySource recorded(MemorySource source, MemoryKind kind) {
    return new RecordedSource(source, kind == MemoryKind.DIRECT);
  }

  private record RecordedSource(MemorySource source, boolean direct) implements MemorySource {
    @Override
    public Region allocate(int bytes) {
      Region region = source.allocate(bytes);
      try {
        CisternEvents.chunkAllocated(bytes, direct, address(region), bytes <= CHUNK_BYTES);
      } catch (Throwable failure) {
        WatchFailures.add(failure);
      }
      return region;
    }

    @Override
    public void free(Region region) {
      int bytes = (int) region.bytes();
      try {
        CisternEvents.chunkFreed(bytes, direct, address(region), bytes <= CHUNK_BYTES);
      } catch (Throwable failure) {
        WatchFailures.add(failure);
      }
      source.free(region);
    }

    /** That of heap memory says nothing. */
    private long address(Region region) {
      return direct ? region.address() : 0;
    }

    @Override
    public long usedBytes() {
      return source.usedBytes();
    }

    @Override
    public long limitBytes() {
      return source.limitBytes();
    }
  }
}
