/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.netty.pool.NettyPools;
import io.netty.buffer.AbstractByteBuf;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CisternHook;
import io.netty.util.ResourceLeakTracker;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** What serves the woven allocators of one copy of Netty. */
final class BridgeHook extends CisternHook {
  static final BridgeHook INSTANCE = new BridgeHook();

  /** So many failures between two looks of the agent's thread end the service for a while. */
  static final int MAX_FAILURES = 10;

  /**
   * Allocations that found no memory, of whatever kind, and were left to Netty: added to by any
   * thread.
   */
  private final AtomicLong fallbacks = new AtomicLong();

  /** Faults, each of which left one allocation to Netty, too: added to by any thread. */
  private final AtomicLong failures = new AtomicLong();

  /** {@link #failures} when the agent's thread looked last; written by that thread. */
  private volatile long failuresSeen;

  /** One of the faults since then. */
  private volatile @Nullable Throwable failure;

  /** Whether this hook has ended its own service; the agent's thread begins it again. */
  private volatile boolean isPaused;

  /** For tests: once live, fail like a broken engine or like one without memory. */
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

  // The class in Netty's package opens these to its subclasses; the rest of the bridge needs them.

  static ByteBuf leakAwareOf(ByteBuf buffer) {
    return leakAware(buffer);
  }

  static ByteBuf recordingOf(ByteBuf buffer, ResourceLeakTracker<ByteBuf> tracker) {
    return leakAware(buffer, tracker);
  }

  static @Nullable ResourceLeakTracker<ByteBuf> trackerIn(ByteBuf wrapper) {
    return trackerOf(wrapper);
  }

  static boolean isRecordedIn(ByteBuf wrapper) {
    return isRecorded(wrapper);
  }

  static ByteBuf retainedSlice(AbstractByteBuf buffer, int index, int length) {
    return retainedSliceOf(buffer, index, length);
  }

  static ByteBuf retainedDuplicate(AbstractByteBuf buffer) {
    return retainedDuplicateOf(buffer);
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
  protected void failed(Throwable thrown) {
    if (thrown instanceof VirtualMachineError && !(thrown instanceof InternalError)) {
      fallbacks.incrementAndGet(); // no memory or no stack: the host's state
      return;
    }
    failure = thrown;
    if (failures.incrementAndGet() - failuresSeen >= MAX_FAILURES) {
      isPaused = true;
      live(null);
    }
  }

  /** Allocations that found no memory, those included that had no stack left to be counted here. */
  long fallbacks() {
    return fallbacks.get() + uncounted();
  }

  long failures() {
    return failures.get();
  }

  /** One of the faults since this was asked last, or null; the agent's thread only. */
  @Nullable Throwable takeFailure() {
    Throwable taken = failure;
    failure = null;
    failuresSeen = failures.get();
    return taken;
  }

  boolean isPaused() {
    return isPaused;
  }

  /** The service begins again; the agent's thread only. */
  void resume() {
    failuresSeen = failures.get();
    isPaused = false;
  }
}
