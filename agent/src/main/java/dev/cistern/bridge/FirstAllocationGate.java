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
 * What the host's first allocations wait for where our pool is to serve: that it does. They would
 * have Netty make a chunk of its own otherwise, which it keeps for good (docs/decisions/0021).
 *
 * <p>The pool goes live only once the host has initialised its buffer classes; so the allocation
 * does that, as Netty's own code would do next, and wakes the agent's thread. It waits for a short
 * time, once: if the agent needs longer, or something that this thread holds, Netty serves. A
 * thread that must not block, as BlockHound or Reactor has it, wakes the agent's thread and does
 * not wait: Netty serves it until the pool does (docs/decisions/0035).
 */
final class FirstAllocationGate implements Runnable {
  /** Reactor's interface of threads that must not block. */
  private static final String NON_BLOCKING = "reactor.core.scheduler.NonBlocking";

  private final Thread agentThread;

  /** Asked for by the agent's thread: a security manager may not let the host's. */
  private final ClassLoader loader = AbstractReferenceCountedByteBuf.class.getClassLoader();

  /** From the first allocation that waits. */
  private final long longestNanos;

  private final CountDownLatch opened = new CountDownLatch(1);

  /** End of the wait; 0 before a thread waits. */
  private long endNanos;

  FirstAllocationGate(Thread agentThread, long longestMillis) {
    this.agentThread = agentThread;
    this.longestNanos = TimeUnit.MILLISECONDS.toNanos(longestMillis);
  }

  /** Lets all threads continue: the mode is in force. */
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
      Thread.currentThread().interrupt(); // the host's business, and a reason not to wait
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
