/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The free objects of one {@link Recycler} that one thread made: one in front, a stack of the
 * thread's own below it, and a list of those that other threads freed. The thread takes the list
 * when it has no other free object.
 *
 * <p>A thread that takes one object at a time always gets the one in front, and only a flag of that
 * object changes. So the processor does not wait, with each object, for the height of the stack
 * after the previous one, which costs more than the rest together.
 *
 * <p>The capacity bounds the handles that exist, not the places. So no thread has to count, and
 * there is always a place for a freed object.
 *
 * <p>Only the thread's variable refers to this strongly; handles do so weakly. So an object in use
 * does not keep the others alive after the end of the thread.
 */
final class ObjectStack<T> {
  @SuppressWarnings("rawtypes") // a field updater knows no type arguments
  private static final AtomicReferenceFieldUpdater<ObjectStack, ObjectHandle> FREED_BY_OTHERS =
      AtomicReferenceFieldUpdater.newUpdater(
          ObjectStack.class, ObjectHandle.class, "freedByOthers");

  /** Refused objects, in capacities, after which handles that never came back count as lost. */
  private static final int PATIENCE = 16;

  /** The reference of handles to this stack. */
  private final WeakReference<ObjectStack<T>> home = new WeakReference<>(this);

  /** The thread whose objects these are. */
  final Thread owner;

  private final int capacity;
  private final int interval;

  /** Free or in use, and in no other place. */
  @Nullable ObjectHandle<T> front;

  /**
   * The first {@link #size} are free. Those above were taken, and can be lost. They stay because an
   * object mostly comes back to its old place, and then no reference is written, which would cost
   * the barrier of a collector.
   */
  private @Nullable ObjectHandle<T>[] free;

  int size;

  /** Handles in circulation: free, in use, or lost by their users. */
  private int handles;

  private int sinceLastHandle;
  private long refused;

  /** Written by any thread: other threads push, the owner takes all. */
  volatile @Nullable ObjectHandle<T> freedByOthers;

  @SuppressWarnings({"unchecked", "rawtypes"}) // an array knows no type arguments
  ObjectStack(Thread owner, int capacity, int interval, int firstLength) {
    this.owner = owner;
    this.capacity = capacity;
    this.interval = interval;
    sinceLastHandle = interval; // the first object gets a handle
    free = new ObjectHandle[Math.min(firstLength, capacity)];
  }

  /** Takes a free object; null if there is none at hand. Owner only. */
  @Nullable ObjectHandle<T> pop() {
    ObjectHandle<T> first = front;
    if (first == null || !first.isFree) {
      return popBelow();
    }
    first.isFree = false;
    return first;
  }

  private @Nullable ObjectHandle<T> popBelow() {
    int top = size - 1;
    if (top < 0) {
      return null;
    }
    size = top;
    ObjectHandle<T> handle = free[top];
    handle.isFree = false;
    return handle;
  }

  /** Takes an object back. Owner only. */
  void push(ObjectHandle<T> handle) {
    handle.endTurn();
    if (front != handle) {
      pushBelow(handle);
    }
  }

  private void pushBelow(ObjectHandle<T> handle) {
    if (front == null) {
      front = handle;
      return;
    }
    int top = size;
    if (top == free.length) {
      growSlow();
    }
    if (free[top] != handle) {
      free[top] = handle;
    }
    size = top + 1;
  }

  private void growSlow() {
    free = Arrays.copyOf(free, (int) Math.min(capacity, Math.max(4, 2L * free.length)));
  }

  /** Takes an object back from another thread. */
  void pushFromOther(ObjectHandle<T> handle) {
    ObjectHandle<T> head;
    do {
      head = freedByOthers;
      handle.next = head;
    } while (!FREED_BY_OTHERS.compareAndSet(this, head, handle));
  }

  /** As {@link #pop}, after that found nothing: looks at what others freed. Owner only. */
  @Nullable ObjectHandle<T> popSlow() {
    if (freedByOthers != null) {
      collect();
      ObjectHandle<T> handle = pop();
      if (handle != null) {
        return handle;
      }
    }
    // All are in use. What their users may have lost must not live on here.
    front = null;
    for (int i = 0; i < free.length && free[i] != null; i++) {
      free[i] = null;
    }
    return null;
  }

  @SuppressWarnings("unchecked") // the list holds this stack's handles
  private void collect() {
    ObjectHandle<T> handle = FREED_BY_OTHERS.getAndSet(this, null);
    while (handle != null) {
      ObjectHandle<T> next = handle.next;
      handle.next = null;
      if (handle.takeClaim()) {
        push(handle);
      }
      handle = next;
    }
  }

  /** A handle for an object that is about to be made; null if it is not to be kept. Owner only. */
  @Nullable ObjectHandle<T> newHandle() {
    if (sinceLastHandle + 1 < interval) {
      sinceLastHandle++;
      return null;
    }
    if (handles == capacity) {
      refused++;
      return null;
    }
    sinceLastHandle = 0;
    handles++;
    ObjectHandle<T> handle = new ObjectHandle<>(home);
    if (front == null) {
      front = handle;
    }
    return handle;
  }

  /** The object of a new handle could not be made. */
  void discard(ObjectHandle<T> handle) {
    handles--;
    if (front == handle) {
      front = null;
    }
  }

  /**
   * Whether so many objects found all handles taken that some are likely to be lost for good. The
   * owner then begins anew with another stack.
   */
  boolean isWornOut() {
    return refused >= (long) PATIENCE * capacity;
  }

  /** From now on nothing comes back: handles do not find this stack any more. */
  void close() {
    home.clear();
  }
}
