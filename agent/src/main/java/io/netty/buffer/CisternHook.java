/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package io.netty.buffer;

import io.netty.util.ResourceLeakTracker;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * The class in Netty's own package that serves allocations. It is renamed with the package if Netty
 * is relocated. The instrumented allocators call it. The bridge, in a loader below, extends it.
 *
 * <p>No method may throw into the host. Without a hook, and after any failure, the result is null,
 * and the allocator's own body runs.
 */
@NullMarked
public abstract class CisternHook {
  /**
   * The hook that serves, or null. The bridge writes it when serving begins or ends; every
   * allocation reads it.
   */
  private static volatile @Nullable CisternHook live;

  /**
   * Action that allocations without a hook run, while the agent waits for the first buffer;
   * otherwise null.
   */
  private static volatile @Nullable Runnable gate;

  /**
   * Receiver of allocators that are being constructed, while the agent serves or observes;
   * otherwise null.
   */
  private static volatile @Nullable Consumer<AbstractByteBufAllocator> creations;

  /** Limit of the allocators that are kept for the first listener. */
  private static final int MAX_EARLY = 64;

  /**
   * Allocators that were constructed before the first listener. The lock of this list also guards
   * the next two fields.
   */
  private static final List<WeakReference<AbstractByteBufAllocator>> EARLY = new ArrayList<>();

  /** The creator of each of {@link #EARLY}. */
  private static final List<String> EARLY_CREATORS = new ArrayList<>();

  /** Whether a listener has received the early allocators. If so, no further ones are kept. */
  private static volatile boolean isEarlyOver;

  /** Failures that {@link #failed} could not count. Concurrent additions may lose one. */
  private static int uncounted;

  /** The bridge, which is reachable as long as this class is. */
  @SuppressWarnings("unused") // never read
  private static volatile @Nullable Object kept;

  /** Holds {@code bridge} as long as Netty's own classes are reachable; null releases it. */
  public static void keep(Object bridge) {
    kept = bridge;
  }

  /** Sets the hook that serves allocations; null leaves them to Netty. */
  public static void live(@Nullable CisternHook hook) {
    live = hook;
  }

  /** Sets the action that allocations without a hook run first; null for none. */
  public static void gate(@Nullable Runnable wait) {
    gate = wait;
  }

  /** Sets the receiver of allocators that are being constructed; null for none. */
  public static void listen(@Nullable Consumer<AbstractByteBufAllocator> listener) {
    creations = listener;
  }

  /**
   * Reports an allocator of which only the fields of its superclass are set. The instrumented code
   * calls it.
   */
  public static void created(AbstractByteBufAllocator allocator) {
    try {
      Consumer<AbstractByteBufAllocator> listener = creations;
      if (listener == null && !keepEarly(allocator)) {
        listener = creations; // the first listener may have been set meanwhile
      }
      if (listener != null) {
        listener.accept(allocator);
      }
    } catch (Throwable failure) {
      return; // its first allocation lists it, without its creator
    }
  }

  /** Keeps an allocator for the first listener. Returns false if a listener has been set. */
  private static boolean keepEarly(AbstractByteBufAllocator allocator) {
    if (isEarlyOver) {
      return false;
    }
    String creator = creator(allocator.getClass(), CisternHook.class);
    synchronized (EARLY) {
      if (isEarlyOver) {
        return false;
      }
      if (EARLY.size() >= MAX_EARLY) {
        removeCollected();
      }
      if (creator != null && EARLY.size() < MAX_EARLY) {
        EARLY.add(new WeakReference<>(allocator));
        EARLY_CREATORS.add(creator);
      }
    }
    return true;
  }

  private static void removeCollected() {
    for (int i = EARLY.size() - 1; i >= 0; i--) {
      if (EARLY.get(i).refersTo(null)) {
        EARLY.remove(i);
        EARLY_CREATORS.remove(i);
      }
    }
  }

  /**
   * Passes the allocators that were constructed before the first listener to {@code receiver}, each
   * with its creator. The caller has set a listener before, so that no more are kept.
   */
  public static void early(BiConsumer<AbstractByteBufAllocator, String> receiver) {
    List<WeakReference<AbstractByteBufAllocator>> allocators;
    List<String> creators;
    synchronized (EARLY) {
      isEarlyOver = true;
      allocators = List.copyOf(EARLY);
      creators = List.copyOf(EARLY_CREATORS);
      EARLY.clear();
      EARLY_CREATORS.clear();
    }
    for (int i = 0; i < allocators.size(); i++) {
      AbstractByteBufAllocator allocator = allocators.get(i).get();
      if (allocator != null) {
        receiver.accept(allocator, creators.get(i));
      }
    }
  }

  /**
   * Returns the first caller that is neither Netty's code nor a constructor of the allocator, as
   * class, method and line; null if there is none.
   *
   * @param type class of the allocator
   * @param listener class whose frames are skipped
   */
  public static @Nullable String creator(Class<?> type, Class<?> listener) {
    String buffers = AbstractByteBufAllocator.class.getPackageName();
    String netty = buffers.substring(0, buffers.lastIndexOf('.') + 1);
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames
                    .filter(frame -> !frame.getClassName().startsWith(netty))
                    .filter(frame -> !frame.getClassName().equals(listener.getName()))
                    .filter(frame -> !isConstructor(frame, type))
                    .findFirst())
        .map(
            frame ->
                frame.getClassName()
                    + '.'
                    + frame.getMethodName()
                    + (frame.getLineNumber() < 0 ? "" : ":" + frame.getLineNumber()))
        .orElse(null);
  }

  private static boolean isConstructor(StackWalker.StackFrame frame, Class<?> type) {
    if (frame.getMethodName().equals("<init>")) {
      for (Class<?> of = type; of != null; of = of.getSuperclass()) {
        if (of.getName().equals(frame.getClassName())) {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns the hook that serves now, or null. */
  public static @Nullable CisternHook live() {
    return live;
  }

  /** Returns a direct buffer, or null if Netty serves it. The instrumented code calls it. */
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

  /** Returns a heap buffer, or null if Netty serves it. The instrumented code calls it. */
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
      throw ofNetty; // the host initialises this class next, and would not get this error again
    } catch (Throwable failure) {
      gate = null; // for example the host forbids to wait
    }
    return live;
  }

  private static @Nullable ByteBuf fallBack(CisternHook hook, Throwable failure, boolean isDirect) {
    try {
      hook.failed(failure, isDirect);
    } catch (Throwable alsoFailed) {
      uncounted++; // most likely the stack is full, and no method can be called
    }
    return null;
  }

  /** Returns the number of failures that {@link #failed} could not count. */
  protected static int uncounted() {
    return uncounted;
  }

  /** Returns the buffer, in a leak-aware wrapper if Netty's detector chooses it. */
  public static ByteBuf leakAware(ByteBuf buffer) {
    return AbstractByteBufAllocator.toLeakAwareBuffer(buffer);
  }

  /**
   * Returns a wrapper that reports each use to trackers; {@code host} is Netty's own tracker, or
   * null.
   */
  public static ByteBuf leakAware(
      ByteBuf buffer, CisternTrackers trackers, @Nullable ResourceLeakTracker<ByteBuf> host) {
    return CisternLeakAwareByteBuf.of(buffer, trackers, host);
  }

  /** Returns Netty's tracker of a result of {@link #leakAware(ByteBuf)}, or null. */
  public static @Nullable ResourceLeakTracker<ByteBuf> trackerOf(ByteBuf seen) {
    return seen instanceof SimpleLeakAwareByteBuf aware ? aware.leak : null;
  }

  /** Returns whether {@link #leakAware(ByteBuf)} returned a wrapper that records each use. */
  public static boolean isRecorded(ByteBuf seen) {
    return seen instanceof AdvancedLeakAwareByteBuf;
  }

  /** Returns a retained slice as Netty's pooled buffers do: recycled, with its own count. */
  public static ByteBuf retainedSliceOf(AbstractByteBuf buffer, int index, int length) {
    return PooledSlicedByteBuf.newInstance(buffer, buffer, index, length);
  }

  /** Returns a retained duplicate as Netty's pooled buffers do: recycled, with its own count. */
  public static ByteBuf retainedDuplicateOf(AbstractByteBuf buffer) {
    return PooledDuplicatedByteBuf.newInstance(
        buffer, buffer, buffer.readerIndex(), buffer.writerIndex());
  }

  /** Returns a direct buffer, or null if Netty serves it. */
  protected abstract @Nullable ByteBuf newDirect(
      AbstractByteBufAllocator allocator, int initialCapacity, int maxCapacity);

  /** Returns a heap buffer, or null if Netty serves it. */
  protected abstract @Nullable ByteBuf newHeap(
      AbstractByteBufAllocator allocator, int initialCapacity, int maxCapacity);

  /** Counts a failure; Netty serves the allocation. */
  protected abstract void failed(Throwable failure, boolean isDirect);
}
