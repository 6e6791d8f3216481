/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package io.netty.buffer;

import dev.cistern.netty42.AllocateBufferEvent;
import dev.cistern.netty42.AllocateChunkEvent;
import dev.cistern.netty42.FreeBufferEvent;
import dev.cistern.netty42.FreeChunkEvent;
import dev.cistern.netty42.ReallocateBufferEvent;
import org.jspecify.annotations.NullMarked;

/**
 * The writer of Netty 4.2's flight recorder events for Cistern's buffers and chunks. It is in
 * Netty's package, because the event classes are package-private. The agent defines it only if the
 * copy has these classes. While no recording runs, each method only reads a constant false.
 *
 * <p>No method takes an event's superclass: to verify that, the JVM would load the event classes,
 * which fails in a runtime without a recorder.
 */
@NullMarked
public final class CisternEvents {
  private CisternEvents() {}

  /**
   * Loads all of Netty's event classes now, while their loader is open. The pool frees the last
   * chunk after a container has closed that loader.
   *
   * @return whether a recording enables any of them
   */
  public static boolean load() {
    boolean[] enabled = {
      AllocateBufferEvent.isEventEnabled(),
      ReallocateBufferEvent.isEventEnabled(),
      FreeBufferEvent.isEventEnabled(),
      AllocateChunkEvent.isEventEnabled(),
      FreeChunkEvent.isEventEnabled()
    };
    return enabled[0] || enabled[1] || enabled[2] || enabled[3] || enabled[4];
  }

  /** Returns whether a recording enables events of allocations. */
  public static boolean recordsAllocations() {
    return AllocateBufferEvent.isEventEnabled();
  }

  /** Returns whether a recording enables events of releases. */
  public static boolean recordsReleases() {
    return FreeBufferEvent.isEventEnabled();
  }

  /**
   * Records the allocation of a buffer.
   *
   * @param address of its memory, or 0
   * @param pooled whether its memory is part of a chunk
   * @param threadLocal whether its memory is from the cache of the calling thread
   */
  public static void allocated(
      AbstractByteBuf buffer, long address, boolean pooled, boolean threadLocal) {
    if (AllocateBufferEvent.isEventEnabled()) {
      AllocateBufferEvent event = new AllocateBufferEvent();
      if (event.shouldCommit()) {
        event.allocatorType = typeOf(buffer);
        event.size = buffer.capacity();
        event.maxFastCapacity = fastCapacity(buffer);
        event.maxCapacity = buffer.maxCapacity();
        event.direct = buffer.isDirect();
        event.address = address;
        event.chunkPooled = pooled;
        event.chunkThreadLocal = threadLocal;
        event.commit();
      }
    }
  }

  /** Records that a buffer is about to move, with the address of its old memory, or 0. */
  public static void moves(AbstractByteBuf buffer, long address, int newCapacity) {
    if (ReallocateBufferEvent.isEventEnabled()) {
      ReallocateBufferEvent event = new ReallocateBufferEvent();
      if (event.shouldCommit()) {
        event.allocatorType = typeOf(buffer);
        event.size = buffer.capacity();
        event.maxFastCapacity = fastCapacity(buffer);
        event.maxCapacity = buffer.maxCapacity();
        event.direct = buffer.isDirect();
        event.address = address;
        event.newCapacity = newCapacity;
        event.commit();
      }
    }
  }

  /** Records the release of a buffer. */
  public static void freed(AbstractByteBuf buffer, long address) {
    if (FreeBufferEvent.isEventEnabled()) {
      FreeBufferEvent event = new FreeBufferEvent();
      if (event.shouldCommit()) {
        event.allocatorType = typeOf(buffer);
        event.size = buffer.capacity();
        event.maxFastCapacity = fastCapacity(buffer);
        event.maxCapacity = buffer.maxCapacity();
        event.direct = buffer.isDirect();
        event.address = address;
        event.commit();
      }
    }
  }

  /**
   * Records that the pool allocated memory. Its chunks serve all allocators; the events name the
   * pooled allocator.
   *
   * @param address of the memory, or 0
   * @param pooled whether it is a chunk for many buffers
   */
  public static void chunkAllocated(int bytes, boolean direct, long address, boolean pooled) {
    if (AllocateChunkEvent.isEventEnabled()) {
      AllocateChunkEvent event = new AllocateChunkEvent();
      if (event.shouldCommit()) {
        event.allocatorType = PooledByteBufAllocator.class;
        event.capacity = bytes;
        event.direct = direct;
        event.address = address;
        event.pooled = pooled;
        event.threadLocal = false;
        event.commit();
      }
    }
  }

  /** Records that the pool freed memory. */
  public static void chunkFreed(int bytes, boolean direct, long address, boolean pooled) {
    if (FreeChunkEvent.isEventEnabled()) {
      FreeChunkEvent event = new FreeChunkEvent();
      if (event.shouldCommit()) {
        event.allocatorType = PooledByteBufAllocator.class;
        event.capacity = bytes;
        event.direct = direct;
        event.address = address;
        event.pooled = pooled;
        event.commit();
      }
    }
  }

  /**
   * Returns the allocator type of a buffer. As in Netty's events, a subclass of the pooled
   * allocator counts as the pooled allocator.
   */
  private static Class<?> typeOf(AbstractByteBuf buffer) {
    ByteBufAllocator allocator = buffer.alloc();
    return allocator instanceof PooledByteBufAllocator
        ? PooledByteBufAllocator.class
        : allocator.getClass();
  }

  private static int fastCapacity(AbstractByteBuf buffer) {
    return buffer.maxFastWritableBytes() + buffer.writerIndex();
  }
}
