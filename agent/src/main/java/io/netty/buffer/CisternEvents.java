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
 * Writes Netty 4.2's own events of the flight recorder for our buffers and chunks: those classes
 * are for its package only. Defined where the copy has them. Where nothing records, all this is a
 * constant false.
 *
 * <p>No method takes an event's superclass: to verify that, the JVM would load the event classes,
 * which fails in a runtime without a recorder.
 */
@NullMarked
public final class CisternEvents {
  private CisternEvents() {}

  /**
   * Has all of Netty's event classes loaded now, while their loader is open: the last chunk is
   * freed when a container has closed it.
   *
   * @return whether a recording enables any of them
   */
  public static boolean load() {
    boolean[] wanted = {
      AllocateBufferEvent.isEventEnabled(),
      ReallocateBufferEvent.isEventEnabled(),
      FreeBufferEvent.isEventEnabled(),
      AllocateChunkEvent.isEventEnabled(),
      FreeChunkEvent.isEventEnabled()
    };
    return wanted[0] || wanted[1] || wanted[2] || wanted[3] || wanted[4];
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
   * A buffer was handed out.
   *
   * @param address of its memory, or 0
   * @param pooled whether its memory is part of a chunk
   * @param threadLocal whether it comes from what the calling thread caches
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

  /** A buffer is about to move; as above, of where it is still. */
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

  /** A buffer has come back. */
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
   * The pool has drawn memory. Its chunks serve all allocators; they are shown as the pooled one's.
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

  /** The pool gives memory back; as above. */
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

  /** Netty names the pooled allocator also where the host has extended it. */
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
