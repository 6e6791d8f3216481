/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.util.internal.BlockHoundPermission;
import io.netty.buffer.AbstractReferenceCountedByteBuf;
import io.netty.buffer.CisternHook;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The gate at which the host's first allocations wait until Cistern's pool serves them. Otherwise
 * Netty would allocate a chunk, and keep it (docs/internals/decisions/0021).
 *
 * <p>The pool is activated after the host has initialised its buffer classes. The waiting
 * allocation does that, as Netty's own code would do next, and wakes the agent's thread. The total
 * wait is limited. If the agent needs longer, or needs a lock that the waiting thread holds, Netty
 * serves. A thread that must not block, according to BlockHound or Reactor, wakes the agent's
 * thread and does not wait; Netty serves it (docs/internals/decisions/0035).
 */
final class FirstAllocationGate implements Runnable {
  /** Reactor's interface of threads that must not block. */
  private static final String NON_BLOCKING = "reactor.core.scheduler.NonBlocking";

  private final Thread agentThread;

  /**
   * The loader of Netty's buffers. Read on the agent's thread, because a security manager may
   * forbid that to threads of the host.
   */
  private final ClassLoader loader = AbstractReferenceCountedByteBuf.class.getClassLoader();

  /** Limit of the wait, from the first allocation that waits. */
  private final long longestNanos;

  private final CountDownLatch opened = new CountDownLatch(1);

  /** End of the wait; 0 before a thread waits. */
  private long endNanos;

  FirstAllocationGate(Thread agentThread, long longestMillis) {
    this.agentThread = agentThread;
    this.longestNanos = TimeUnit.MILLISECONDS.toNanos(longestMillis);
  }

  /** Ends the wait of all threads, because the mode is set. */
  void open() {
    CisternHook.gate(null);
    opened.countDown();
  }

  @Override
  public void run() {
    if (Thread.currentThread() == agentThread) {
      return;
    }
    try {
      String buffers = AbstractReferenceCountedByteBuf.class.getName();
      Class<?> unused = Class.forName(buffers, true, loader);
      LockSupport.unpark(agentThread);
      long leftNanos = leftNanos();
      if (leftNanos <= 0 || (mayWait() && !opened.await(leftNanos, TimeUnit.NANOSECONDS))) {
        open();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt(); // for the host; this allocation does not wait
    } catch (ClassNotFoundException impossible) {
      open();
    }
  }

  private static boolean mayWait() {
    return BlockHoundPermission.mayBlock() && !isNonBlocking(Thread.currentThread().getClass());
  }

  private static boolean isNonBlocking(@Nullable Class<?> type) {
    if (type == null) {
      return false;
    }
    if (type.getName().equals(NON_BLOCKING)) {
      return true;
    }
    for (Class<?> implemented : type.getInterfaces()) {
      if (isNonBlocking(implemented)) {
        return true;
      }
    }
    return isNonBlocking(type.getSuperclass());
  }

  private synchronized long leftNanos() {
    long now = System.nanoTime();
    if (endNanos == 0) {
      endNanos = now + longestNanos;
    }
    return endNanos - now;
  }
}
