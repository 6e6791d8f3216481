/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import dev.cistern.util.concurrent.FastThreadLocal;
import dev.cistern.util.internal.Settings;
import dev.cistern.util.internal.VirtualThreads;
import org.jspecify.annotations.Nullable;

/**
 * A pool of objects that each thread keeps for their next use. An object returns to the thread that
 * created it, whichever thread frees it.
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
  /** A handle that returns one object. */
  public interface Handle<T> {
    /**
     * Returns the object to its recycler. The caller must not use it afterwards.
     *
     * @param self the object of this handle
     * @throws IllegalArgumentException if it is another object
     * @throws IllegalStateException if it was returned already
     */
    void recycle(T self);
  }

  /** The type of the handles that {@link #newObject} receives. */
  public abstract static class EnhancedHandle<T> implements Handle<T> {
    EnhancedHandle() {}

    @Override
    public void recycle(T self) {
      unguardedRecycle(self);
    }

    /**
     * Returns the object as {@link #recycle} does, with the same checks and the same cost. In
     * Netty, this method is for an object that only one thread has used.
     *
     * @throws IllegalArgumentException if it is another object
     * @throws IllegalStateException if it was returned already
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

  /** Creates a recycler with the default settings. */
  protected Recycler() {
    this(MAX_CAPACITY);
  }

  /**
   * Creates a recycler with a capacity.
   *
   * @param maxCapacityPerThread maximum number of objects that a thread keeps; 0 or less for none
   */
  protected Recycler(int maxCapacityPerThread) {
    this(maxCapacityPerThread, RATIO, CHUNK_SIZE);
  }

  /**
   * Creates a recycler that keeps only some objects, so that a burst does not fill it at once.
   *
   * @param maxCapacityPerThread maximum number of objects that a thread keeps; 0 or less for none
   * @param ratio number of created objects of which a thread keeps one; 0 or 1 to keep all
   * @param chunkSize initial number of places of a thread, which doubles when all are in use
   */
  protected Recycler(int maxCapacityPerThread, int ratio, int chunkSize) {
    capacity = Math.max(0, maxCapacityPerThread);
    interval = Math.max(1, ratio);
    firstLength = Math.max(1, chunkSize);
  }

  /** Returns an object that was returned to this thread, otherwise a new one. */
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
    if (stack.hasLostHandles()) {
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

  @SuppressWarnings("unchecked") // it accepts any object
  private static <T> Handle<T> notKept() {
    return (Handle<T>) NOT_KEPT;
  }

  /**
   * Creates an object.
   *
   * @param handle the handle that returns the object, which the object must keep
   */
  protected abstract T newObject(Handle<T> handle);
}
