/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.util.internal.BlockHoundPermission;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The lock of a shared cache: a word that a thread acquires, and a queue for threads that wait.
 *
 * <p>On the fast path a thread acquires only the word, by one compare-and-set, and releases it by a
 * store in release mode. It neither waits nor allocates memory meanwhile, and tries another cache
 * if the word is held. On the slow path a thread may wait for an arena, and a virtual thread then
 * may lose its carrier. So it first acquires the lock of the queue, in which the next such thread
 * can park, and then the word. So a thread never spins on a holder that can park.
 */
final class CacheLock {
  private static final VarHandle HELD;

  static {
    try {
      HELD = MethodHandles.lookup().findVarHandle(CacheLock.class, "isHeld", boolean.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  private final ReentrantLock queue = new ReentrantLock();

  @SuppressWarnings("unused") // accessed by its handle
  volatile boolean isHeld;

  CacheLock() {
    if (tryAcquireWord()) { // first calls of handles allocate, which a release must not do
      releaseWord();
    }
  }

  /** Acquires the word for a few reads and writes, if no thread holds it. */
  boolean tryAcquireWord() {
    return !isHeld && HELD.compareAndSet(this, false, true);
  }

  void releaseWord() {
    HELD.setRelease(this, false);
  }

  /** Acquires the queue and the word, if no thread holds either. */
  boolean tryLock() {
    if (isHeldByCurrentThread()) {
      return false;
    }
    boolean isLocked = false;
    try {
      isLocked = queue.tryLock() && tryAcquireWord();
      return isLocked;
    } finally { // after a stack overflow in either call, the queue would stay locked forever
      if (!isLocked && isHeldByCurrentThread()) {
        queue.unlock();
      }
    }
  }

  /** Returns whether the calling thread holds the queue. */
  boolean isHeldByCurrentThread() {
    return queue.isHeldByCurrentThread();
  }

  /**
   * Acquires the queue and the word; waits for both.
   *
   * @throws IllegalStateException if the calling thread holds the queue, because code that the pool
   *     calls must not call the pool
   */
  void lock() {
    if (isHeldByCurrentThread()) {
      throw new IllegalStateException(
          "cannot lock a shared cache: this thread holds it; SlotBinder.bind must neither allocate"
              + " nor tick or close the pool");
    }
    OomRetry.lock(queue);
    try {
      if (!tryAcquireWord()) {
        awaitWord();
      }
    } catch (Throwable failed) {
      queue.unlock();
      throw failed;
    }
  }

  private void awaitWord() {
    Object permission = BlockHoundPermission.begin();
    try {
      for (int round = 0; !tryAcquireWord(); round++) {
        BlockHoundPermission.pause(round);
      }
    } finally {
      BlockHoundPermission.end(permission);
    }
  }

  void unlock() {
    try {
      releaseWord();
    } finally {
      queue.unlock();
    }
  }
}
