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
  /** Failures, each of which sent one allocation back to Netty: added to by any thread. */
  private final AtomicLong failures = new AtomicLong();

  /** The first failure that is more than a lack of memory; it ends the service. */
  private volatile @Nullable String fatal;

  /** For tests: once live, fail like a broken engine or like one without memory. */
  private static final @Nullable String FAULT = System.getProperty("cistern.test.fault");

  @Override
  protected ByteBuf newDirect(
      AbstractByteBufAllocator allocator, int initialCapacity, int maxCapacity) {
    if (FAULT != null) {
      injectFault(allocator);
    }
    DirectBridgeBuf buffer = (DirectBridgeBuf) Pools.DIRECT_ENGINE.allocate(initialCapacity);
    try {
      buffer.reuse(allocator, initialCapacity, maxCapacity);
      if (HostFeatures.EVENTS && CisternEvents.recordsAllocations()) {
        buffer.tellAllocated();
      }
      return leakAwareOrBare(buffer);
    } catch (Throwable failure) {
      buffer.deallocate(); // nobody has it: the caller gets one of Netty's
      throw failure;
    }
  }

  @Override
  protected ByteBuf newHeap(
      AbstractByteBufAllocator allocator, int initialCapacity, int maxCapacity) {
    if (FAULT != null) {
      injectFault(allocator);
    }
    HeapBridgeBuf buffer = (HeapBridgeBuf) Pools.HEAP_ENGINE.allocate(initialCapacity);
    try {
      buffer.reuse(allocator, initialCapacity, maxCapacity);
      if (HostFeatures.EVENTS && CisternEvents.recordsAllocations()) {
        buffer.tellAllocated();
      }
      return leakAwareOrBare(buffer);
    } catch (Throwable failure) {
      buffer.deallocate(); // nobody has it: the caller gets one of Netty's
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

  private static void injectFault(AbstractByteBufAllocator allocator) {
    if (allocator instanceof SelfTest.Allocator) {
      return;
    }
    if ("engine".equals(FAULT)) {
      throw new IllegalStateException("injected fault");
    }
    if ("memory".equals(FAULT)) {
      throw new OutOfMemoryError("injected fault");
    }
  }

  @Override
  protected void failed(Throwable failure) {
    failures.incrementAndGet();
    if (!(failure instanceof VirtualMachineError) || failure instanceof InternalError) {
      // no memory or no stack is the host's state; anything else is ours, and we stand down
      live(null);
      fatal = failure.toString();
    }
  }

  long failures() {
    return failures.get();
  }

  @Nullable String fatal() {
    return fatal;
  }

  /** What failed is to be tried again. */
  void forgetFailure() {
    fatal = null;
  }
}
