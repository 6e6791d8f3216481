/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import dev.cistern.util.concurrent.FastThreadLocal;
import dev.cistern.util.internal.Settings;
import dev.cistern.util.internal.VirtualThreads;
import org.jspecify.annotations.Nullable;

/**
 * Keeps objects for their next use, by thread: an object goes back to the thread that made it, from
 * any thread that frees it.
 *
 * <p>A thread keeps up to as many objects as the capacity; the handles of further objects, and of
 * those of virtual threads, do nothing. A thread's objects are dropped when it ends. Settings:
 * {@code cistern.recycler.maxCapacityPerThread} (default 4096, 0 for no recycling), {@code
 * cistern.recycler.ratio} (default 8), {@code cistern.recycler.chunkSize} (default 32); see {@link
 * #Recycler(int, int, int)}.
 *
 * @param <T> the type of the objects
 */
public abstract class Recycler<T> {
  /** Gives one object back. */
  public interface Handle<T> {
    /**
     * Gives the object back to its recycler. It must not be used after that.
     *
     * @param self the object that this handle was made for
     * @throws IllegalArgumentException if it is another object
     * @throws IllegalStateException if it was given back already
     */
    void recycle(T self);
  }

  /** The handle that {@link #newObject} gets. */
  public abstract static class EnhancedHandle<T> implements Handle<T> {
    EnhancedHandle() {}

    @Override
    public void recycle(T self) {
      unguardedRecycle(self);
    }

    /**
     * As {@link #recycle}, with the same checks and the same cost. Netty's is for an object that
     * only one thread has known.
     *
     * @throws IllegalArgumentException if it is another object
     * @throws IllegalStateException if it was given back already
     */
    public abstract void unguardedRecycle(Object object);
  }

  private static final int MAX_CAPACITY =
      Settings.number("recycler.maxCapacityPerThread", 4096, 0, 1 << 28);
  private static final int RATIO = Settings.number("recycler.ratio", 8, 0, 1 << 28);
  private static final int CHUNK_SIZE = Settings.number("recycler.chunkSize", 32, 1, 1 << 28);

  /** The handle of objects that are not kept. */
  private static final EnhancedHandle<Object> NOT_KEPT =
      new EnhancedHandle<>() {
        @Override
        public void unguardedRecycle(Object object) {}
      };

  private final int capacity;
  private final int interval;
  private final int firstLength;

  final FastThreadLocal<ObjectStack<T>> stacks =
      new FastThreadLocal<>() {
        @Override
        protected void onRemoval(ObjectStack<T> stack) {
          stack.close();
        }
      };

  /** A recycler at the default settings. */
  protected Recycler() {
    this(MAX_CAPACITY);
  }

  /**
   * A recycler of a capacity.
   *
   * @param maxCapacityPerThread the most objects that a thread keeps; 0 or less for none
   */
  protected Recycler(int maxCapacityPerThread) {
    this(maxCapacityPerThread, RATIO, CHUNK_SIZE);
  }

  /**
   * A recycler that keeps only some objects, so that a burst does not fill it at once.
   *
   * @param maxCapacityPerThread the most objects that a thread keeps; 0 or less for none
   * @param ratio one in so many of the objects that a thread makes is kept; 0 or 1 for all
   * @param chunkSize initial number of places of a thread; they double when all are in use
   */
  protected Recycler(int maxCapacityPerThread, int ratio, int chunkSize) {
    capacity = Math.max(0, maxCapacityPerThread);
    interval = Math.max(1, ratio);
    firstLength = Math.max(1, chunkSize);
  }

  /** Returns an object that was given back to this thread, or otherwise a new one. */
  @SuppressWarnings("NullAway") // a handle has its object before it is free
  public final T get() {
    ObjectStack<T> stack = stacks.getIfExists();
    if (stack != null) {
      ObjectHandle<T> handle = stack.pop();
      if (handle != null) {
        return handle.object;
      }
    }
    return getSlow(stack);
  }

  @SuppressWarnings("NullAway") // as above
  private T getSlow(@Nullable ObjectStack<T> existing) {
    ObjectStack<T> stack = existing == null ? newStack() : existing;
    if (stack == null) {
      return newObject(notKept());
    }
    ObjectHandle<T> handle = stack.popSlow();
    if (handle != null) {
      return handle.object;
    }
    handle = stack.newHandle();
    if (handle != null) {
      return newObject(stack, handle);
    }
    if (stack.isWornOut()) {
      stacks.remove();
    }
    return newObject(notKept());
  }

  /** Returns a new stack for this thread, or null if it keeps no objects. */
  private @Nullable ObjectStack<T> newStack() {
    Thread owner = Thread.currentThread();
    if (capacity == 0 || VirtualThreads.isVirtual(owner)) {
      return null;
    }
    ObjectStack<T> stack = new ObjectStack<>(owner, capacity, interval, firstLength);
    stacks.set(stack);
    return stack;
  }

  private T newObject(ObjectStack<T> stack, ObjectHandle<T> handle) {
    T object = null;
    try {
      object = newObject(handle);
      handle.object = object;
      return object;
    } finally {
      if (object == null) {
        stack.discard(handle);
      }
    }
  }

  @SuppressWarnings("unchecked") // it takes any object
  private static <T> Handle<T> notKept() {
    return (Handle<T>) NOT_KEPT;
  }

  /**
   * Makes an object.
   *
   * @param handle gives the object back; the object keeps it
   */
  protected abstract T newObject(Handle<T> handle);
}
