/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import dev.cistern.util.internal.ReferenceCounts;
import org.jspecify.annotations.Nullable;

/**
 * Reference counting of any objects. The methods have no effect on objects that are not {@link
 * ReferenceCounted}.
 */
public final class ReferenceCountUtil {
  private ReferenceCountUtil() {}

  /**
   * Calls {@link ReferenceCounted#retain()}.
   *
   * @return the result of {@code retain}, or {@code msg} itself
   * @throws IllegalReferenceCountException if released already, or if the count is at its maximum
   */
  @SuppressWarnings("unchecked") // retain() returns its own object
  public static <T extends @Nullable Object> T retain(T msg) {
    return msg instanceof ReferenceCounted counted ? (T) counted.retain() : msg;
  }

  /**
   * Calls {@link ReferenceCounted#retain(int)}.
   *
   * @return the result of {@code retain}, or {@code msg} itself
   * @throws IllegalReferenceCountException if released already, or if the count would overflow
   * @throws IllegalArgumentException if {@code increment} is not positive
   */
  @SuppressWarnings("unchecked") // retain() returns its own object
  public static <T extends @Nullable Object> T retain(T msg, int increment) {
    ReferenceCounts.requirePositive(increment, "increment");
    return msg instanceof ReferenceCounted counted ? (T) counted.retain(increment) : msg;
  }

  /** Calls {@link ReferenceCounted#touch()}. Returns the result, or {@code msg} itself. */
  @SuppressWarnings("unchecked") // touch() returns its own object
  public static <T extends @Nullable Object> T touch(T msg) {
    return msg instanceof ReferenceCounted counted ? (T) counted.touch() : msg;
  }

  /** Calls {@link ReferenceCounted#touch(Object)}. Returns the result, or {@code msg} itself. */
  @SuppressWarnings("unchecked") // touch() returns its own object
  public static <T extends @Nullable Object> T touch(T msg, @Nullable Object hint) {
    return msg instanceof ReferenceCounted counted ? (T) counted.touch(hint) : msg;
  }

  /**
   * Calls {@link ReferenceCounted#release()}.
   *
   * @return true if this call has reduced the count to 0
   * @throws IllegalReferenceCountException if released already
   */
  public static boolean release(@Nullable Object msg) {
    return msg instanceof ReferenceCounted counted && counted.release();
  }

  /**
   * Calls {@link ReferenceCounted#release(int)}.
   *
   * @return true if this call has reduced the count to 0
   * @throws IllegalReferenceCountException if the count is smaller than {@code decrement}
   * @throws IllegalArgumentException if {@code decrement} is not positive
   */
  public static boolean release(@Nullable Object msg, int decrement) {
    ReferenceCounts.requirePositive(decrement, "decrement");
    return msg instanceof ReferenceCounted counted && counted.release(decrement);
  }

  /**
   * Releases an object as {@link #release(Object)} does, but logs a failure as a warning instead of
   * throwing it.
   */
  public static void safeRelease(@Nullable Object msg) {
    safeRelease(msg, 1);
  }

  /**
   * Releases an object as {@link #release(Object, int)} does, but logs a failure as a warning
   * instead of throwing it.
   */
  public static void safeRelease(@Nullable Object msg, int decrement) {
    try {
      release(msg, decrement);
    } catch (Throwable failure) {
      System.getLogger(ReferenceCountUtil.class.getName())
          .log(
              System.Logger.Level.WARNING,
              () -> "cannot release " + shown(msg) + " (decrement: " + decrement + ")",
              failure);
    }
  }

  /** Returns an object as text, or its class if its {@code toString} fails. */
  private static String shown(@Nullable Object msg) {
    try {
      return String.valueOf(msg);
    } catch (RuntimeException | Error unshown) {
      return msg == null ? "null" : msg.getClass().getName();
    }
  }

  /** Releases an object as {@link #releaseLater(Object, int)} does, with a decrement of 1. */
  public static <T extends @Nullable Object> T releaseLater(T msg) {
    return releaseLater(msg, 1);
  }

  /**
   * Releases an object after the end of the calling thread, which is useful in tests. A failure is
   * logged as a warning.
   *
   * @return {@code msg}
   * @throws IllegalArgumentException if {@code decrement} is not positive
   */
  public static <T extends @Nullable Object> T releaseLater(T msg, int decrement) {
    ReferenceCounts.requirePositive(decrement, "decrement");
    if (msg instanceof ReferenceCounted counted) {
      ThreadDeathWatcher.watch(Thread.currentThread(), () -> safeRelease(counted, decrement));
    }
    return msg;
  }

  /** Returns the count of a {@link ReferenceCounted}; -1 for any other object. */
  public static int refCnt(@Nullable Object msg) {
    return msg instanceof ReferenceCounted counted ? counted.refCnt() : -1;
  }
}
