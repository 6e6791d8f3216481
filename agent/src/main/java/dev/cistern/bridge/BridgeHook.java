/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.netty.pool.NettyPools;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CisternHook;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Serves the instrumented allocators of one copy of Netty. */
final class BridgeHook extends CisternHook {
  static final BridgeHook INSTANCE = new BridgeHook();

  /** Number of failures between two ticks of the agent's thread that pauses the service. */
  static final int MAX_FAILURES = 10;

  /** Numbers of allocations left to Netty, at {@link #index}. Any thread adds to them. */
  private final AtomicLong[] fallbacks = {
    new AtomicLong(), new AtomicLong(), new AtomicLong(), new AtomicLong()
  };

  /** Number of faults in allocations and moves. Any thread adds to it. */
  private final AtomicLong failures = new AtomicLong();

  /** Value of {@link #failures} at the last tick of the agent's thread, which writes this field. */
  private volatile long failuresSeen;

  /** One of the faults since the last tick. */
  private volatile @Nullable Throwable failure;

  /** Whether this hook has paused its service; the agent's thread resumes it. */
  private volatile boolean isPaused;

  /** Fault that tests inject: the hook fails like a broken engine or like one without memory. */
  private static final @Nullable String FAULT = System.getProperty("cistern.test.fault");

  @Override
  protected ByteBuf newDirect(
      AbstractByteBufAllocator allocator, int initialCapacity, int maxCapacity) {
    if (FAULT != null) {
      injectFault();
    }
    return NettyPools.direct(allocator, initialCapacity, maxCapacity);
  }

  @Override
  protected ByteBuf newHeap(
      AbstractByteBufAllocator allocator, int initialCapacity, int maxCapacity) {
    if (FAULT != null) {
      injectFault();
    }
    return NettyPools.heap(allocator, initialCapacity, maxCapacity);
  }

  private static void injectFault() {
    String fault = System.getProperty("cistern.test.fault"); // a test may end it
    if ("engine".equals(fault)) {
      throw new IllegalStateException("injected fault");
    }
    if ("memory".equals(fault)) {
      throw new OutOfMemoryError("injected fault");
    }
  }

  @Override
  protected void failed(Throwable thrown, boolean isDirect) {
    // lack of memory or stack is no fault of the pool
    boolean isFault = !(thrown instanceof VirtualMachineError) || thrown instanceof InternalError;
    fallbacks[index(isDirect, isFault)].incrementAndGet();
    if (isFault) {
      addFault(thrown);
    }
  }

  private static int index(boolean isDirect, boolean isFault) {
    return (isDirect ? 1 : 0) + (isFault ? 2 : 0);
  }

  /** Counts a fault. Too many pause the service. */
  void addFault(Throwable thrown) {
    failure = thrown;
    if (failures.incrementAndGet() - failuresSeen >= MAX_FAILURES) {
      live(null); // before the flag, because the agent's thread may resume the service in between
      isPaused = true;
    }
  }

  /** Returns the number of allocations that found no memory, or no stack. */
  long fallbacks() {
    return fallbacks(true, false) + fallbacks(false, false);
  }

  /** Returns the number of allocations left to Netty. Those with no stack to count as direct. */
  long fallbacks(boolean isDirect, boolean isFault) {
    long counted = fallbacks[index(isDirect, isFault)].get();
    return isDirect && !isFault ? counted + uncounted() : counted;
  }

  long failures() {
    return failures.get();
  }

  /** Returns one of the faults since the last call, or null; the agent's thread only. */
  @Nullable Throwable takeFailure() {
    Throwable taken = failure;
    failure = null;
    failuresSeen = failures.get();
    return taken;
  }

  boolean isPaused() {
    return isPaused;
  }

  /** Resumes the service; the agent's thread only. */
  void resume() {
    failuresSeen = failures.get();
    isPaused = false;
  }
}
