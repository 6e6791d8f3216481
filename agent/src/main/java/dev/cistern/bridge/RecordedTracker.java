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
 * Passes each access that Netty's leak-aware wrapper reports to Cistern's tracker and, if Netty's
 * detector selected the buffer, to Netty's tracker.
 *
 * <p>The buffer itself closes Cistern's tracker, because not every release calls the wrapper.
 */
final class RecordedTracker implements ResourceLeakTracker<ByteBuf> {
  private static final @Nullable Method CLOSE_STACK = closeStackMethod();

  private final LeakTracker<CisternByteBuf> ours;
  private final @Nullable ResourceLeakTracker<ByteBuf> hosts;
  private final boolean isRecordedByHost;
  private final boolean isOfCounts;

  /**
   * @param ours Cistern's tracker
   * @param hosts Netty's tracker, or null if Netty's detector did not select the buffer
   * @param isRecordedByHost whether Netty's tracker records accesses too
   * @param isOfCounts whether the calls to record are those of {@code retain} and {@code release}
   */
  RecordedTracker(
      LeakTracker<CisternByteBuf> ours,
      @Nullable ResourceLeakTracker<ByteBuf> hosts,
      boolean isRecordedByHost,
      boolean isOfCounts) {
    this.ours = ours;
    this.hosts = hosts;
    this.isRecordedByHost = isRecordedByHost;
    this.isOfCounts = isOfCounts;
  }

  @Override
  public void record() {
    recordOurs(null);
    ResourceLeakTracker<ByteBuf> host = hosts;
    if (host != null && isRecordedByHost) {
      host.record();
    }
  }

  @Override
  public void record(@Nullable Object hint) {
    recordOurs(hint);
    ResourceLeakTracker<ByteBuf> host = hosts;
    if (host != null && isRecordedByHost) {
      host.record(hint);
    }
  }

  /** Records an access. A failure is counted, and the caller can use the buffer. */
  private void recordOurs(@Nullable Object hint) {
    try {
      if (isOfCounts) {
        ours.recordCount();
      } else {
        ours.record(hint);
      }
    } catch (Throwable failure) {
      WatchFailures.add(failure);
    }
  }

  @Override
  public boolean close(ByteBuf buffer) {
    ResourceLeakTracker<ByteBuf> host = hosts;
    return host == null || host.close(buffer);
  }

  /**
   * Returns the stack of the release, which Netty 4.2 shows after a use after release. Found by its
   * name, because the interface of 4.1 does not have this method.
   */
  @SuppressWarnings("unused") // called by Netty 4.2
  public @Nullable Throwable getCloseStackTraceIfAny() {
    ResourceLeakTracker<ByteBuf> host = hosts;
    Method method = CLOSE_STACK;
    if (host == null || method == null) {
      return null;
    }
    try {
      return (Throwable) method.invoke(host);
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
