/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package io.netty.buffer;

import io.netty.util.ResourceLeakTracker;
import java.util.function.Consumer;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * The one class that the agent adds to Netty's own package, renamed with it where Netty is
 * relocated. The instrumented allocators call it; the bridge, in a loader below, extends it.
 *
 * <p>Nothing here may throw into the host: no hook, or any failure at all, gives null, and the
 * allocator's own body runs.
 */
@NullMarked
public abstract class CisternHook {
  /** Written by the bridge when it goes live or stands down; read by every allocation. */
  private static volatile @Nullable CisternHook live;

  /** Run by allocations that find no hook, while one is about to come. */
  private static volatile @Nullable Runnable gate;

  /** Receives allocators that are being constructed, while the agent serves or observes. */
  private static volatile @Nullable Consumer<AbstractByteBufAllocator> creations;

  /** Failures that {@link #failed} could not count. Threads that add at once may lose one. */
  private static int uncounted;

  /** What must live as long as this class does, and no longer. */
  private static volatile @Nullable Object kept;

  /** Holds {@code bridge} for as long as Netty's own classes live. */
  public static void keep(Object bridge) {
    kept = bridge;
  }

  /** What {@link #keep} was given. */
  public static @Nullable Object kept() {
    return kept;
  }

  /** Sends allocations to {@code hook} from now on; null sends them back to Netty. */
  public static void live(@Nullable CisternHook hook) {
    live = hook;
  }

  /** Has allocations that find no hook run {@code wait} first; null for no longer. */
  public static void gate(@Nullable Runnable wait) {
    gate = wait;
  }

  /** Passes allocators that are being constructed to {@code listener} from now on; null ends it. */
  public static void listen(@Nullable Consumer<AbstractByteBufAllocator> listener) {
    creations = listener;
  }

  /**
   * Passes on an allocator of which only the fields of its superclass are set. The instrumented
   * code calls it.
   */
  public static void created(AbstractByteBufAllocator allocator) {
    Consumer<AbstractByteBufAllocator> listener = creations;
    if (listener != null) {
      try {
        listener.accept(allocator);
      } catch (Throwable failure) {
        return; // its first allocation lists it, without its creator
      }
    }
  }

  /** The hook that serves now, or null. */
  public static @Nullable CisternHook live() {
    return live;
  }

  /** A direct buffer, or null for Netty's own. The instrumented code calls it. */
  public static @Nullable ByteBuf direct(
      AbstractByteBufAllocator allocator, int initialCapacity, int maxCapacity) {
    CisternHook hook = live;
    if (hook == null) {
      hook = behindGate();
      if (hook == null) {
        return null;
      }
    }
    try {
      return hook.newDirect(allocator, initialCapacity, maxCapacity);
    } catch (Throwable failure) {
      return fallBack(hook, failure, true);
    }
  }

  /** A heap buffer, or null for Netty's own. The instrumented code calls it. */
  public static @Nullable ByteBuf heap(
      AbstractByteBufAllocator allocator, int initialCapacity, int maxCapacity) {
    CisternHook hook = live;
    if (hook == null) {
      hook = behindGate();
      if (hook == null) {
        return null;
      }
    }
    try {
      return hook.newHeap(allocator, initialCapacity, maxCapacity);
    } catch (Throwable failure) {
      return fallBack(hook, failure, false);
    }
  }

  private static @Nullable CisternHook behindGate() {
    Runnable wait = gate;
    if (wait == null) {
      return null;
    }
    try {
      wait.run();
    } catch (ExceptionInInitializerError ofNetty) {
      gate = null;
      throw ofNetty; // by a class that the host would have initialised next: it sees this once only
    } catch (Throwable failure) {
      gate = null; // for example a host that forbids to wait
    }
    return live;
  }

  private static @Nullable ByteBuf fallBack(CisternHook hook, Throwable failure, boolean isDirect) {
    try {
      hook.failed(failure, isDirect);
    } catch (Throwable alsoFailed) {
      uncounted++; // the stack ends here, most likely: nothing can be called
    }
    return null;
  }

  /** How often a failure could not be counted otherwise. */
  protected static int uncounted() {
    return uncounted;
  }

  /** Netty's own choice whether a buffer gets a leak-aware wrapper; only its package may ask. */
  public static ByteBuf leakAware(ByteBuf buffer) {
    return AbstractByteBufAllocator.toLeakAwareBuffer(buffer);
  }

  /** A wrapper that reports each use to trackers; {@code host} is Netty's own, or null. */
  public static ByteBuf leakAware(
      ByteBuf buffer, CisternTrackers trackers, @Nullable ResourceLeakTracker<ByteBuf> host) {
    return CisternLeakAwareByteBuf.of(buffer, trackers, host);
  }

  /** The tracker of Netty's own that watches what {@link #leakAware(ByteBuf)} gave, or null. */
  public static @Nullable ResourceLeakTracker<ByteBuf> trackerOf(ByteBuf seen) {
    return seen instanceof SimpleLeakAwareByteBuf aware ? aware.leak : null;
  }

  /** Returns whether {@link #leakAware(ByteBuf)} returned a wrapper that records each use. */
  public static boolean isRecorded(ByteBuf seen) {
    return seen instanceof AdvancedLeakAwareByteBuf;
  }

  /** Netty's own recycled slice with a count of its own, as its pooled buffers give it. */
  public static ByteBuf retainedSliceOf(AbstractByteBuf buffer, int index, int length) {
    return PooledSlicedByteBuf.newInstance(buffer, buffer, index, length);
  }

  /** Netty's own recycled duplicate with a count of its own, as its pooled buffers give it. */
  public static ByteBuf retainedDuplicateOf(AbstractByteBuf buffer) {
    return PooledDuplicatedByteBuf.newInstance(
        buffer, buffer, buffer.readerIndex(), buffer.writerIndex());
  }

  /** Serves a direct buffer; null leaves it to Netty. */
  protected abstract @Nullable ByteBuf newDirect(
      AbstractByteBufAllocator allocator, int initialCapacity, int maxCapacity);

  /** Serves a heap buffer; null leaves it to Netty. */
  protected abstract @Nullable ByteBuf newHeap(
      AbstractByteBufAllocator allocator, int initialCapacity, int maxCapacity);

  /** Counts a failure; the allocation at hand falls back. */
  protected abstract void failed(Throwable failure, boolean isDirect);
}
