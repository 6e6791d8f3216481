/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.leak.LeakTracker;
import dev.cistern.leak.WatchFailures;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CisternEvents;
import io.netty.buffer.CisternHook;
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
    return handedOut(bareDirect(allocator, initialCapacity, maxCapacity));
  }

  @Override
  protected ByteBuf newHeap(
      AbstractByteBufAllocator allocator, int initialCapacity, int maxCapacity) {
    if (FAULT != null) {
      injectFault();
    }
    return handedOut(bareHeap(allocator, initialCapacity, maxCapacity));
  }

  /** With Netty's leak detection, where it wants that. */
  private static ByteBuf handedOut(BridgeBuf buffer) {
    try {
      return leakAwareOrBare(buffer);
    } catch (Throwable failure) {
      buffer.deallocate(); // the caller gets one of Netty's
      throw failure;
    }
  }

  /** A direct buffer that Netty's leak detector does not get to see. */
  static BridgeBuf bareDirect(
      AbstractByteBufAllocator allocator, int initialCapacity, int maxCapacity) {
    DirectBridgeBuf buffer = (DirectBridgeBuf) Pools.DIRECT_ENGINE.allocate(initialCapacity);
    try {
      buffer.reuse(allocator, initialCapacity, maxCapacity);
      if (HostFeatures.EVENTS && CisternEvents.recordsAllocations()) {
        buffer.tellAllocated();
      }
      return buffer;
    } catch (Throwable failure) {
      buffer.deallocate(); // the caller gets one of Netty's
      throw failure;
    }
  }

  /** The same of the Java heap. */
  static BridgeBuf bareHeap(
      AbstractByteBufAllocator allocator, int initialCapacity, int maxCapacity) {
    HeapBridgeBuf buffer = (HeapBridgeBuf) Pools.HEAP_ENGINE.allocate(initialCapacity);
    try {
      buffer.reuse(allocator, initialCapacity, maxCapacity);
      if (HostFeatures.EVENTS && CisternEvents.recordsAllocations()) {
        buffer.tellAllocated();
      }
      return buffer;
    } catch (Throwable failure) {
      buffer.deallocate();
      throw failure;
    }
  }

  /**
   * Netty's body would do this at its end. Its tracker watches the bare buffer, so that the slot
   * has to let go of it: else the slot would keep every leak alive and unseen.
   */
  @SuppressWarnings("ReferenceEquality") // the same buffer or a wrapper is the question
  private static ByteBuf leakAwareOrBare(BridgeBuf buffer) {
    ByteBuf seen = leakAware(buffer);
    return seen != buffer || Leaks.DRAWS_ITSELF ? watched(buffer, seen) : seen;
  }

  @SuppressWarnings("ReferenceEquality") // as above
  private static ByteBuf watched(BridgeBuf buffer, ByteBuf seen) {
    boolean isDrawnByHost = seen != buffer;
    if (isDrawnByHost) {
      buffer.leaveSlot();
    }
    try {
      return Leaks.isDrawn(isDrawnByHost)
          ? recorded(buffer, seen, Leaks.watchCounted(buffer))
          : seen;
    } catch (Throwable failure) {
      WatchFailures.add(failure); // the host gets its buffer all the same
      return seen;
    }
  }

  /** One wrapper that tells both trackers: Netty's own, where it has one, and ours. */
  private static ByteBuf recorded(BridgeBuf buffer, ByteBuf seen, LeakTracker<BridgeBuf> ours) {
    return ours.isTraced()
        ? leakAware(buffer, new RecordedTracker(ours, trackerOf(seen), isRecorded(seen)))
        : seen;
  }

  static ByteBuf retainedSlice(BridgeBuf buffer, int index, int length) {
    return retainedSliceOf(buffer, index, length);
  }

  static ByteBuf retainedDuplicate(BridgeBuf buffer) {
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
