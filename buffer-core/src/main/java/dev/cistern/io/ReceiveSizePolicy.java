/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

import dev.cistern.pool.SizeClasses;

/**
 * The sizes of the buffers that connections read into, and how long one connection may read before
 * the event loop serves another connection. One object serves any number of connections, each with
 * its own {@link #newSizer sizer}.
 *
 * <p>An adaptive size moves along the size classes of the pool, so that no part of a buffer is lost
 * to rounding: up as soon as a read fills the buffer, and down to what the last reads needed. A
 * policy whose smallest size is its largest one is fixed; its size is not rounded.
 *
 * @param minBytes smallest size, 1 or more
 * @param initialBytes first size, {@code minBytes} to {@code maxBytes}
 * @param maxBytes largest size, up to {@link #MAX_GUESS_BYTES} if the size is adaptive
 * @param maxMessagesPerRead maximum number of messages of one read loop, 1 or more
 * @param maxBytesPerRead maximum bytes of one read loop, 1 or more
 * @param maxBytesPerIndividualRead maximum bytes of each single read of a loop, 1 or more
 */
public record ReceiveSizePolicy(
    int minBytes,
    int initialBytes,
    int maxBytes,
    int maxMessagesPerRead,
    int maxBytesPerRead,
    int maxBytesPerIndividualRead) {
  /**
   * The default size classes of the pool; their sizes do not depend on the sizes of pages and
   * chunks.
   */
  private static final SizeClasses CLASSES = new SizeClasses(8 * 1024, 4 * 1024 * 1024, 0);

  /** Bytes of the largest adaptive size. */
  public static final int MAX_GUESS_BYTES = 4 * 1024 * 1024;

  private static final int DEFAULT_MESSAGES = 16;

  /**
   * @throws IllegalArgumentException if a value is out of its range
   */
  public ReceiveSizePolicy {
    boolean isAdaptive = minBytes < maxBytes;
    requireOrder(
        minBytes, initialBytes, maxBytes, isAdaptive ? MAX_GUESS_BYTES : Integer.MAX_VALUE);
    requirePositive(maxMessagesPerRead, "maxMessagesPerRead");
    requirePositive(maxBytesPerRead, "maxBytesPerRead");
    requirePositive(maxBytesPerIndividualRead, "maxBytesPerIndividualRead");
    if (isAdaptive) {
      minBytes = roundedUp(minBytes);
      initialBytes = roundedUp(initialBytes);
      maxBytes = roundedUp(maxBytes);
    }
  }

  /** Returns a policy with sizes from 64 bytes to 64 KiB, initially 2 KiB. */
  public static ReceiveSizePolicy adaptive() {
    return adaptive(64, 2048, 64 * 1024);
  }

  /**
   * Returns a policy whose sizes follow the reads. The limits are rounded up to size classes of the
   * pool.
   *
   * @param min bytes of the smallest size, 1 or more
   * @param initial bytes of the first size, {@code min} to {@code max}
   * @param max bytes of the largest size, up to {@link #MAX_GUESS_BYTES}
   * @throws IllegalArgumentException if they are out of their ranges
   */
  public static ReceiveSizePolicy adaptive(int min, int initial, int max) {
    requireOrder(min, initial, max, MAX_GUESS_BYTES);
    return of(roundedUp(min), roundedUp(initial), roundedUp(max));
  }

  /**
   * Returns a policy of one size, for messages of a known size.
   *
   * @param bytes the size, 1 or more
   * @throws IllegalArgumentException if {@code bytes} is less than 1
   */
  public static ReceiveSizePolicy fixed(int bytes) {
    requirePositive(bytes, "bytes");
    return of(bytes, bytes, bytes);
  }

  private static ReceiveSizePolicy of(int min, int initial, int max) {
    return new ReceiveSizePolicy(
        min, initial, max, DEFAULT_MESSAGES, Integer.MAX_VALUE, Integer.MAX_VALUE);
  }

  private static void requireOrder(int min, int initial, int max, int limit) {
    if (min < 1 || initial < min || max < initial || max > limit) {
      throw new IllegalArgumentException(
          "min: %d, initial: %d, max: %d (expected: 1 <= min <= initial <= max <= %d)"
              .formatted(min, initial, max, limit));
    }
  }

  static void requirePositive(long value, String name) {
    if (value < 1) {
      throw new IllegalArgumentException(name + ": " + value + " (expected: >= 1)");
    }
  }

  /**
   * Returns the size of the smallest class with at least {@code bytes} bytes, up to {@link
   * #MAX_GUESS_BYTES}.
   */
  static int roundedUp(int bytes) {
    return CLASSES.bytes(CLASSES.of(Math.min(bytes, MAX_GUESS_BYTES)));
  }

  /** Returns this policy with another {@link #maxMessagesPerRead}, which is 16 by default. */
  public ReceiveSizePolicy withMaxMessagesPerRead(int messages) {
    return new ReceiveSizePolicy(
        minBytes, initialBytes, maxBytes, messages, maxBytesPerRead, maxBytesPerIndividualRead);
  }

  /** Returns this policy with another {@link #maxBytesPerRead}; there is no limit by default. */
  public ReceiveSizePolicy withMaxBytesPerRead(int bytes) {
    return new ReceiveSizePolicy(
        minBytes, initialBytes, maxBytes, maxMessagesPerRead, bytes, maxBytesPerIndividualRead);
  }

  /**
   * Returns this policy with another {@link #maxBytesPerIndividualRead}; there is no limit but the
   * size by default.
   */
  public ReceiveSizePolicy withMaxBytesPerIndividualRead(int bytes) {
    return new ReceiveSizePolicy(
        minBytes, initialBytes, maxBytes, maxMessagesPerRead, maxBytesPerRead, bytes);
  }

  /** Returns a sizer for one connection. */
  public ReceiveSizer newSizer() {
    return new ReceiveSizer(this);
  }
}
