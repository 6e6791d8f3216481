/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import io.netty.util.concurrent.FastThreadLocal;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * The minimum work of a pooled buffer, as a lower bound: a stack of ready buffers for each thread,
 * and one compare-and-set of the reference count for the release. It has no memory, no size classes
 * and no release by another thread.
 */
final class FloorSubject extends Subject {
  /** More buffers than a benchmark ever holds at once. */
  private static final int CAPACITY = 1 << 11;

  private final FastThreadLocal<Stack> stacks =
      new FastThreadLocal<>() {
        @Override
        protected Stack initialValue() {
          return new Stack();
        }
      };

  private FloorSubject() {}

  /** Returns a {@link Subject}, so that a fork of another allocator never loads this class. */
  static Subject create() {
    return new FloorSubject();
  }

  @Override
  Object direct(int bytes) {
    return stacks.get().pop();
  }

  @Override
  Object heap(int bytes) {
    return stacks.get().pop();
  }

  @Override
  boolean release(Object buffer) {
    return ((Ready) buffer).release();
  }

  @Override
  void setByte(Object buffer, int index, int value) {
    throw new UnsupportedOperationException("the floor's buffers have no bytes");
  }

  @Override
  void append(Object buffer, byte[] source) {
    throw new UnsupportedOperationException("the floor's buffers have no bytes");
  }

  /** The ready buffers of one thread. */
  private static final class Stack {
    private final Thread owner = Thread.currentThread();
    private final Ready[] ready = new Ready[CAPACITY];
    private int size;

    Ready pop() {
      Ready buffer = size == 0 ? new Ready(this) : ready[--size];
      Ready.COUNT.lazySet(buffer, 1);
      return buffer;
    }

    void push(Ready buffer) {
      if (owner != Thread.currentThread()) {
        throw new IllegalStateException("cannot release a buffer of " + owner + ": another thread");
      }
      ready[size++] = buffer;
    }
  }

  private static final class Ready {
    static final AtomicIntegerFieldUpdater<Ready> COUNT =
        AtomicIntegerFieldUpdater.newUpdater(Ready.class, "count");

    private final Stack stack;

    @SuppressWarnings("UnusedVariable") // accessed by its updater
    private volatile int count;

    Ready(Stack stack) {
      this.stack = stack;
    }

    boolean release() {
      if (!COUNT.compareAndSet(this, 1, 0)) {
        throw new IllegalStateException("released twice");
      }
      stack.push(this);
      return true;
    }
  }
}
