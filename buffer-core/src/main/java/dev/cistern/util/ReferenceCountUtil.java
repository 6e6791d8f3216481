/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import dev.cistern.util.internal.ReferenceCounts;
import org.jspecify.annotations.Nullable;

/**
 * Reference counting of objects that may or may not be {@link ReferenceCounted}; those that are not
 * stay as they are.
 */
public final class ReferenceCountUtil {
  private ReferenceCountUtil() {}

  /**
   * {@link ReferenceCounted#retain()}.
   *
   * @return what {@code retain} returned, or {@code msg} itself
   * @throws IllegalReferenceCountException if released already, or if the count is at its maximum
   */
  @SuppressWarnings("unchecked") // retain() returns its own object
  public static <T extends @Nullable Object> T retain(T msg) {
    return msg instanceof ReferenceCounted counted ? (T) counted.retain() : msg;
  }

  /**
   * {@link ReferenceCounted#retain(int)}.
   *
   * @return what {@code retain} returned, or {@code msg} itself
   * @throws IllegalReferenceCountException if released already, or if the count would overflow
   * @throws IllegalArgumentException if {@code increment} is not positive
   */
  @SuppressWarnings("unchecked") // retain() returns its own object
  public static <T extends @Nullable Object> T retain(T msg, int increment) {
    ReferenceCounts.requirePositive(increment, "increment");
    return msg instanceof ReferenceCounted counted ? (T) counted.retain(increment) : msg;
  }

  /** {@link ReferenceCounted#touch()}; returns what that returned, or {@code msg} itself. */
  @SuppressWarnings("unchecked") // touch() returns its own object
  public static <T extends @Nullable Object> T touch(T msg) {
    return msg instanceof ReferenceCounted counted ? (T) counted.touch() : msg;
  }

  /** {@link ReferenceCounted#touch(Object)}; returns what that returned, or {@code msg} itself. */
  @SuppressWarnings("unchecked") // touch() returns its own object
  public static <T extends @Nullable Object> T touch(T msg, @Nullable Object hint) {
    return msg instanceof ReferenceCounted counted ? (T) counted.touch(hint) : msg;
  }

  /**
   * {@link ReferenceCounted#release()}.
   *
   * @return true if the count reached 0 by this call
   * @throws IllegalReferenceCountException if released already
   */
  public static boolean release(@Nullable Object msg) {
    return msg instanceof ReferenceCounted counted && counted.release();
  }

  /**
   * {@link ReferenceCounted#release(int)}.
   *
   * @return true if the count reached 0 by this call
   * @throws IllegalReferenceCountException if the count is smaller than {@code decrement}
   * @throws IllegalArgumentException if {@code decrement} is not positive
   */
  public static boolean release(@Nullable Object msg, int decrement) {
    ReferenceCounts.requirePositive(decrement, "decrement");
    return msg instanceof ReferenceCounted counted && counted.release(decrement);
  }

  /** As {@link #release(Object)}, but a failure is logged as a warning and not thrown. */
  public static void safeRelease(@Nullable Object msg) {
    safeRelease(msg, 1);
  }

  /** As {@link #release(Object, int)}, but a failure is logged as a warning and not thrown. */
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

  /** As {@link #releaseLater(Object, int)}, with a decrement of 1. */
  public static <T extends @Nullable Object> T releaseLater(T msg) {
    return releaseLater(msg, 1);
  }

  /**
   * Releases an object when the calling thread has ended, which suits tests; a failure is logged as
   * a warning.
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

  /** The count of a {@link ReferenceCounted}, -1 for anything else. */
  public static int refCnt(@Nullable Object msg) {
    return msg instanceof ReferenceCounted counted ? counted.refCnt() : -1;
  }
}
