/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package io.netty.buffer;

import io.netty.util.IllegalReferenceCountException;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * The class in Netty's own package that receives holders of buffers: the objects that they are
 * passed to, and the slices that refer to them. It is renamed with the package if Netty is
 * relocated. The instrumented buffers call it; the bridge, in a loader below, extends it.
 *
 * <p>No method may throw into the host.
 */
@NullMarked
public abstract class CisternHolders {
  /** The listener, or null. The bridge writes it when watching begins or ends. */
  private static volatile @Nullable CisternHolders watching;

  /** Sets the listener; null for none. */
  public static void watching(@Nullable CisternHolders listener) {
    watching = listener;
  }

  /** Reports a handler that received a buffer, or another hint. The instrumented code calls it. */
  public static void touched(ByteBuf buffer, @Nullable Object hint) {
    CisternHolders listener = watching;
    if (listener != null && hint != null) {
      try {
        if (buffer instanceof AbstractPooledDerivedByteBuf derived) {
          listener.bufferTouched(derived.unwrap(), hint);
        } else if (buffer instanceof CompositeByteBuf composite) {
          listener.compositeTouched(composite, hint);
        } else if (buffer instanceof WrappedByteBuf wrapper) {
          listener.bufferTouched(bare(wrapper), hint);
        } else {
          listener.bufferTouched(buffer, hint);
        }
      } catch (IllegalReferenceCountException released) {
        return; // another thread released it
      } catch (Throwable failure) {
        report(listener, failure);
      }
    }
  }

  /**
   * Reports a slice or duplicate that has its own reference count. The instrumented code calls it.
   *
   * @param derived the slice, whose fields may not be set yet
   * @param root the buffer whose memory it covers
   * @param parent the buffer or slice to which it holds a reference
   * @param length bytes that it covers
   */
  public static void derived(
      AbstractPooledDerivedByteBuf derived, AbstractByteBuf root, ByteBuf parent, int length) {
    CisternHolders listener = watching;
    if (listener != null) {
      try {
        listener.counted(derived, root, parent, length);
      } catch (Throwable failure) {
        report(listener, failure);
      }
    }
  }

  /**
   * Reports a slice that shares the reference count of its buffer. The instrumented code calls it.
   */
  public static void sliced(AbstractUnpooledSlicedByteBuf slice) {
    CisternHolders listener = watching;
    if (listener != null) {
      try {
        listener.uncounted(slice, slice.unwrap());
      } catch (Throwable failure) {
        report(listener, failure);
      }
    }
  }

  /** Returns a buffer without wrappers of Netty's leak detector. */
  private static ByteBuf bare(WrappedByteBuf wrapper) {
    ByteBuf bare = wrapper.buf;
    while (bare instanceof WrappedByteBuf inner) {
      bare = inner.buf;
    }
    return bare;
  }

  private static void report(CisternHolders listener, Throwable failure) {
    try {
      listener.failed(failure);
    } catch (Throwable alsoFailed) {
      return; // for example the stack is full; the host continues
    }
  }

  /**
   * Returns whether a slice of a buffer, with its own reference count, is in use. Another thread
   * may release it meanwhile.
   */
  protected static boolean isInUse(Object derived, Object root, int length) {
    try {
      return derived instanceof AbstractPooledDerivedByteBuf slice
          && slice.refCnt() > 0
          && slice.unwrap() == root
          && slice.maxCapacity() == length;
    } catch (IllegalReferenceCountException released) {
      return false;
    }
  }

  /** Called for a composite buffer. */
  protected abstract void compositeTouched(CompositeByteBuf buffer, Object hint);

  /** Called for all other buffers except slices that have their own reference count. */
  protected abstract void bufferTouched(ByteBuf buffer, Object hint);

  /** Called for a slice that has its own reference count. */
  protected abstract void counted(Object derived, ByteBuf root, ByteBuf parent, int length);

  /** Called for a slice that shares the count of its buffer. */
  protected abstract void uncounted(ByteBuf slice, ByteBuf root);

  /** Counts a failure. */
  protected abstract void failed(Throwable failure);
}
