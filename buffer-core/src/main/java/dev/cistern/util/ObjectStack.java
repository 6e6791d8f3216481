/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The free objects of one {@link Recycler} that one thread created: one in front, a stack below it
 * that only this thread uses, and a list of objects that other threads freed. The thread takes the
 * list when it has no other free object.
 *
 * <p>A thread that takes one object at a time always gets the one in front, and only a flag of that
 * object changes. Otherwise the processor would wait, for each object, for the height of the stack
 * after the previous one, which costs more than everything else together.
 *
 * <p>The capacity limits the number of handles, not the number of places. So no thread has to
 * count, and there is always a place for a freed object.
 *
 * <p>Only the variable of the thread refers to this stack strongly; handles have weak references.
 * So an object in use does not keep the other objects reachable after the end of the thread.
 */
final class ObjectStack<T> {
  @SuppressWarnings("rawtypes") // a field updater knows no type arguments
  private static final AtomicReferenceFieldUpdater<ObjectStack, ObjectHandle> FREED_BY_OTHERS =
      AtomicReferenceFieldUpdater.newUpdater(
          ObjectStack.class, ObjectHandle.class, "freedByOthers");

  /**
   * The number of refused objects, in multiples of the capacity, after which handles in use count
   * as lost.
   */
  private static final int MAX_REFUSED_CAPACITIES = 16;

  /** The reference from handles to this stack. */
  private final WeakReference<ObjectStack<T>> home = new WeakReference<>(this);

  /** The thread that created the objects. */
  final Thread owner;

  private final int capacity;
  private final int interval;

  /** The handle in front, free or in use, which is in no other place; null for none. */
  @Nullable ObjectHandle<T> front;

  /**
   * The handles below the front. The first {@link #size} of them are free. Those above are in use,
   * and can be lost. They stay in the array because an object mostly returns to its old place. Then
   * no reference is written, which would cost a barrier of the garbage collector.
   */
  private @Nullable ObjectHandle<T>[] free;

  int size;

  /** The number of handles: free, in use, or lost by their users. */
  private int handles;

  private int sinceLastHandle;
  private long refused;

  /**
   * The list of handles that other threads freed. Other threads push handles, and the owner takes
   * all.
   */
  volatile @Nullable ObjectHandle<T> freedByOthers;

  @SuppressWarnings({"unchecked", "rawtypes"}) // an array knows no type arguments
  ObjectStack(Thread owner, int capacity, int interval, int firstLength) {
    this.owner = owner;
    this.capacity = capacity;
    this.interval = interval;
    sinceLastHandle = interval; // the first object gets a handle
    free = new ObjectHandle[Math.min(firstLength, capacity)];
  }

  /**
   * Takes a free object; returns null if there is none in front or on the stack. Only the owner
   * calls this method.
   */
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

  /** Takes an object back. Only the owner calls this method. */
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

  /**
   * Takes an object that another thread freed, after {@link #pop} found none; returns null if there
   * is none. Only the owner calls this method.
   */
  @Nullable ObjectHandle<T> popSlow() {
    if (freedByOthers != null) {
      collect();
      ObjectHandle<T> handle = pop();
      if (handle != null) {
        return handle;
      }
    }
    // All objects are in use. Clear the references, so that lost objects can be collected.
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

  /**
   * Returns a handle for an object that is about to be created; null if the object will not be
   * kept. Only the owner calls this method.
   */
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

  /** Discards a new handle after the creation of its object failed. */
  void discard(ObjectHandle<T> handle) {
    handles--;
    if (front == handle) {
      front = null;
    }
  }

  /**
   * Returns whether so many objects got no handle that some handles are probably lost. The owner
   * then uses another stack.
   */
  boolean hasLostHandles() {
    return refused >= (long) MAX_REFUSED_CAPACITIES * capacity;
  }

  /** Closes this stack: handles do not find it any more, so no object returns. */
  void close() {
    home.clear();
  }
}
