/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty.pool;

import dev.cistern.leak.LeakTracker;
import dev.cistern.leak.WatchFailures;
import io.netty.buffer.ByteBuf;
import io.netty.util.ResourceLeakTracker;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * What Netty's leak-aware wrapper tells of a buffer: ours takes it down, and so does Netty's own
 * tracker if it drew the buffer, so that each reports as if it were alone (seed rows E2, E5).
 *
 * <p>Ours is closed by the buffer itself, however that is released.
 */
final class RecordedTracker implements ResourceLeakTracker<ByteBuf> {
  private static final @Nullable Method CLOSE_STACK = closeStackMethod();

  private final LeakTracker<CisternByteBuf> ours;
  private final @Nullable ResourceLeakTracker<ByteBuf> hosts;
  private final boolean isRecordedByHost;

  /**
   * @param hosts Netty's own, or null where it did not draw the buffer
   * @param isRecordedByHost whether Netty's own records accesses too
   */
  RecordedTracker(
      LeakTracker<CisternByteBuf> ours,
      @Nullable ResourceLeakTracker<ByteBuf> hosts,
      boolean isRecordedByHost) {
    this.ours = ours;
    this.hosts = hosts;
    this.isRecordedByHost = isRecordedByHost;
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

  /** A failure does not keep the host from its buffer. */
  private void recordOurs(@Nullable Object hint) {
    try {
      ours.record(hint);
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
   * Where the buffer was closed, which Netty 4.2 shows with a use after release: a method that 4.1
   * does not have, and finds here by its name.
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
