/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package io.netty.buffer;

import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * The class in Netty's own package that is told of its buffers where they are observed; renamed
 * with it where Netty is relocated. The woven allocators and buffers call it; the bridge, in a
 * loader below, extends it.
 *
 * <p>Nothing here may throw into the host.
 */
@NullMarked
public abstract class CisternObserver {
  /** Written by the bridge when observation is turned on or off; read by every allocation. */
  private static volatile @Nullable CisternObserver watching;

  /** Tells {@code observer} from now on; null: nobody. */
  public static void watching(@Nullable CisternObserver observer) {
    watching = observer;
  }

  /** Who is told now, or null. */
  public static @Nullable CisternObserver watching() {
    return watching;
  }

  /**
   * An allocator is about to return a buffer of its own. The woven code calls it.
   *
   * @param buffer what it returns, perhaps in a leak-aware wrapper
   * @param bytes what it was asked for
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

  /** A pooled or adaptive buffer is about to give its memory back. The woven code calls it. */
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
      return; // such as for want of a stack: the host goes on
    }
  }

  /**
   * The buffer itself, without wrappers of Netty's leak detector; null where it is none whose end
   * is told of. Only its package knows these classes.
   */
  protected static @Nullable AbstractReferenceCountedByteBuf observable(ByteBuf buffer) {
    ByteBuf bare = buffer;
    while (bare instanceof WrappedByteBuf wrapper) {
      bare = wrapper.buf;
    }
    if (bare instanceof PooledByteBuf<?> pooled) {
      return pooled;
    }
    // early 4.1 has no such class
    return bare instanceof AbstractReferenceCountedByteBuf counted
            && bare.getClass()
                .getName()
                .endsWith(".buffer.AdaptivePoolingAllocator$AdaptiveByteBuf")
        ? counted
        : null;
  }

  /** The bytes of an arena's buffers that are in use; Netty sums them up, but not by arena. */
  protected static long pinnedBytes(PoolArenaMetric arena) {
    return arena instanceof PoolArena<?> known ? known.numPinnedBytes() : 0;
  }

  /** Counts an allocation, and samples it where it is drawn. */
  protected abstract void count(ByteBuf buffer, AbstractByteBufAllocator allocator, int bytes);

  /** Ends the sample of a buffer, if it is one. */
  protected abstract void end(AbstractReferenceCountedByteBuf buffer);

  /** Counts a failure. */
  protected abstract void failed(Throwable failure);
}
