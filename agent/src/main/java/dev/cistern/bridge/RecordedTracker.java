/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.leak.LeakTracker;
import dev.cistern.leak.WatchFailures;
import dev.cistern.netty.pool.CisternByteBuf;
import io.netty.buffer.ByteBuf;
import io.netty.util.ResourceLeakTracker;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * A tracker that receives each access from Netty's leak-aware wrapper. It passes the access to
 * Cistern's tracker and, if Netty's detector selected the buffer, to Netty's tracker.
 *
 * <p>The buffer itself closes Cistern's tracker, because not every release calls the wrapper.
 */
final class RecordedTracker implements ResourceLeakTracker<ByteBuf> {
  private static final @Nullable Method CLOSE_STACK = closeStackMethod();

  private final LeakTracker<CisternByteBuf> tracker;
  private final @Nullable ResourceLeakTracker<ByteBuf> nettyTracker;
  private final boolean isRecordedByNetty;
  private final boolean isOfCounts;

  /**
   * @param tracker Cistern's tracker
   * @param nettyTracker Netty's tracker, or null if Netty's detector did not select the buffer
   * @param isRecordedByNetty whether Netty's tracker records accesses too
   * @param isOfCounts whether the calls to record are those of {@code retain} and {@code release}
   */
  RecordedTracker(
      LeakTracker<CisternByteBuf> tracker,
      @Nullable ResourceLeakTracker<ByteBuf> nettyTracker,
      boolean isRecordedByNetty,
      boolean isOfCounts) {
    this.tracker = tracker;
    this.nettyTracker = nettyTracker;
    this.isRecordedByNetty = isRecordedByNetty;
    this.isOfCounts = isOfCounts;
  }

  @Override
  public void record() {
    recordAccess(null);
    ResourceLeakTracker<ByteBuf> netty = nettyTracker;
    if (netty != null && isRecordedByNetty) {
      netty.record();
    }
  }

  @Override
  public void record(@Nullable Object hint) {
    recordAccess(hint);
    ResourceLeakTracker<ByteBuf> netty = nettyTracker;
    if (netty != null && isRecordedByNetty) {
      netty.record(hint);
    }
  }

  /** Records an access. A failure is counted, and the caller can use the buffer. */
  private void recordAccess(@Nullable Object hint) {
    try {
      if (isOfCounts) {
        tracker.recordCount();
      } else {
        tracker.record(hint);
      }
    } catch (Throwable failure) {
      WatchFailures.add(failure);
    }
  }

  @Override
  public boolean close(ByteBuf buffer) {
    ResourceLeakTracker<ByteBuf> netty = nettyTracker;
    return netty == null || netty.close(buffer);
  }

  /**
   * Returns the stack of the release, which Netty 4.2 shows after a use after release. Found by its
   * name, because the interface of 4.1 does not have this method.
   */
  @SuppressWarnings("unused") // called by Netty 4.2
  public @Nullable Throwable getCloseStackTraceIfAny() {
    ResourceLeakTracker<ByteBuf> netty = nettyTracker;
    Method method = CLOSE_STACK;
    if (netty == null || method == null) {
      return null;
    }
    try {
      return (Throwable) method.invoke(netty);
    } catch (IllegalAccessException | InvocationTargetException unknown) {
      return null;
    }
  }

  private static @Nullable Method closeStackMethod() {
    try {
      return ResourceLeakTracker.class.getMethod("getCloseStackTraceIfAny");
    } catch (NoSuchMethodException netty41) {
      return null;
    }
  }
}
