/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.util.BlockHoundPermission;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The lock of a shared cache: a word that is held, and a queue for those who wait for it.
 *
 * <p>A thread that only takes or releases a slot holds the word alone, by one compare-and-set, and
 * gives it back by a release store. Meanwhile it neither waits nor needs memory. If the word is
 * held, the thread uses another cache. A thread that does more may wait for an arena, and a virtual
 * thread may lose its carrier. It takes the queue's lock first, where other such threads park, and
 * then the word. So a thread never spins for a holder that can park.
 */
final class CacheLock {
  private static final VarHandle HELD;

  static {
    try {
      HELD = MethodHandles.lookup().findVarHandle(CacheLock.class, "held", boolean.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  private final ReentrantLock queue = new ReentrantLock();

  @SuppressWarnings("unused") // by its handle
  volatile boolean held;

  CacheLock() {
    if (tryHold()) { // the first calls by handle want memory, which a release may not find
      letGo();
    }
  }

  /** Takes the word if no thread has it, for a few reads and writes. */
  boolean tryHold() {
    return !held && HELD.compareAndSet(this, false, true);
  }

  void letGo() {
    HELD.setRelease(this, false);
  }

  /** Takes the whole lock if no thread has any part of it. */
  boolean tryLock() {
    if (isHeldByCurrentThread()) {
      return false;
    }
    boolean locked = false;
    try {
      locked = queue.tryLock() && tryHold();
      return locked;
    } finally { // at the end of the stack either may throw: no thread would ever get the queue
      if (!locked && queue.isHeldByCurrentThread()) {
        queue.unlock();
      }
    }
  }

  /** Whether the caller has the whole lock. */
  boolean isHeldByCurrentThread() {
    return queue.isHeldByCurrentThread();
  }

  /**
   * Takes the whole lock, and waits for it.
   *
   * @throws IllegalStateException if the caller has it: what the pool calls must not call it
   */
  void lock() {
    if (isHeldByCurrentThread()) {
      throw new IllegalStateException(
          "this thread has the shared cache already; SlotBinder.bind must neither allocate nor tick"
              + " or close the pool");
    }
    OomRetry.lock(queue);
    boolean locked = false;
    try {
      if (!tryHold()) {
        holdSlow();
      }
      locked = true;
    } finally {
      if (!locked) {
        queue.unlock();
      }
    }
  }

  private void holdSlow() {
    Object permission = BlockHoundPermission.begin();
    try {
      for (int round = 0; !tryHold(); round++) {
        BlockHoundPermission.pause(round);
      }
    } finally {
      BlockHoundPermission.end(permission);
    }
  }

  void unlock() {
    try {
      letGo();
    } finally {
      queue.unlock();
    }
  }
}
