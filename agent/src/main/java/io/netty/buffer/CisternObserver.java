/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package io.netty.buffer;

import java.nio.ByteBuffer;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * The class in Netty's own package that receives the observed buffers. It is renamed with the
 * package if Netty is relocated. The instrumented allocators and buffers call it. The bridge, in a
 * loader below, extends it.
 *
 * <p>No method may throw into the host.
 */
@NullMarked
public abstract class CisternObserver {
  /**
   * The observer, or null. The bridge writes it when observing begins or ends; every allocation
   * reads it.
   */
  private static volatile @Nullable CisternObserver watching;

  /** Sets the observer; null for none. */
  public static void watching(@Nullable CisternObserver observer) {
    watching = observer;
  }

  /** Returns the present observer, or null. */
  public static @Nullable CisternObserver watching() {
    return watching;
  }

  /**
   * Counts a buffer that Netty's allocator is about to return. The instrumented code calls it.
   *
   * @param buffer the buffer that it returns, perhaps in a leak-aware wrapper
   * @param bytes the requested capacity
   * @return the buffer
   */
  public static ByteBuf allocated(ByteBuf buffer, AbstractByteBufAllocator allocator, int bytes) {
    CisternObserver observer = watching;
    if (observer != null) {
      try {
        observer.count(buffer, allocator, bytes);
      } catch (Throwable failure) {
        report(observer, failure);
      }
    }
    return buffer;
  }

  /**
   * Records a buffer that another library's allocator took from an arena. The instrumented code
   * calls it.
   */
  public static void taken(@Nullable ByteBuf buffer, AbstractByteBufAllocator allocator) {
    if (watching != null && buffer != null) {
      ByteBuf unused = allocated(buffer, allocator, buffer.capacity());
    }
  }

  /**
   * Ends the sample of a buffer that is about to release its memory. The instrumented code calls
   * it.
   */
  public static void deallocated(AbstractReferenceCountedByteBuf buffer) {
    CisternObserver observer = watching;
    if (observer != null) {
      try {
        observer.end(buffer);
      } catch (Throwable failure) {
        report(observer, failure);
      }
    }
  }

  private static void report(CisternObserver observer, Throwable failure) {
    try {
      observer.failed(failure);
    } catch (Throwable alsoFailed) {
      return; // for example the stack is full; the host continues
    }
  }

  /** Returns a buffer without wrappers of Netty's leak detector. Only its package knows them. */
  protected static ByteBuf bare(ByteBuf buffer) {
    ByteBuf bare = buffer;
    while (bare instanceof WrappedByteBuf wrapper) {
      bare = wrapper.buf;
    }
    return bare;
  }

  /** Returns whether a buffer is from Netty's arenas. */
  protected static boolean isPooled(Object buffer) {
    return buffer instanceof PooledByteBuf;
  }

  /**
   * Returns the chunk that contains a buffer's memory; null if there is none, or if it serves this
   * buffer only. If another thread releases the buffer meanwhile, the result may be its former
   * chunk.
   */
  protected static @Nullable PoolChunkMetric chunk(Object buffer) {
    PoolChunk<?> chunk = buffer instanceof PooledByteBuf<?> pooled ? pooled.chunk : null;
    return chunk == null || chunk.unpooled ? null : chunk;
  }

  /** Returns the bytes of an arena's buffers that are in use, which Netty reports only as a sum. */
  public static long pinnedBytes(PoolArenaMetric arena) {
    return arena instanceof PoolArena<?> known ? known.numPinnedBytes() : 0;
  }

  /** Returns the memory of a chunk; null if it is an array, or if the chunk is of another class. */
  public static @Nullable ByteBuffer memory(PoolChunkMetric chunk) {
    return chunk instanceof PoolChunk<?> known && known.memory instanceof ByteBuffer buffer
        ? buffer
        : null;
  }

  /** Counts an allocation, and records a sample if this one is drawn. */
  protected abstract void count(ByteBuf buffer, AbstractByteBufAllocator allocator, int bytes);

  /** Ends the sample of a buffer, if it is one. */
  protected abstract void end(AbstractReferenceCountedByteBuf buffer);

  /** Counts a failure. */
  protected abstract void failed(Throwable failure);
}
