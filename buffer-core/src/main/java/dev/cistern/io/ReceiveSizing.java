/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

import dev.cistern.pool.SizeClasses;

/**
 * How large the buffers are that connections read into, and how long one connection may read before
 * others have their turn (seed row H2). Immutable; one object serves any number of connections,
 * each with a {@link #newSizer sizer} of its own.
 *
 * <p>An adaptive guess moves along the size classes of the pool, so that no part of a buffer is
 * lost to rounding: up as soon as a read fills the buffer, and down to what the last reads needed.
 */
public final class ReceiveSizing {
  /** The pool's own default classes; sizes are the same for other pages and chunks. */
  private static final SizeClasses CLASSES = new SizeClasses(8 * 1024, 4 * 1024 * 1024, 0);

  /** Bytes of the largest buffer that is guessed. */
  public static final int MAX_GUESS_BYTES = 4 * 1024 * 1024;

  private static final int DEFAULT_MIN = 64;
  private static final int DEFAULT_INITIAL = 2048;
  private static final int DEFAULT_MAX = 64 * 1024;
  private static final int DEFAULT_MESSAGES = 16;

  private final int min;
  private final int initial;
  private final int max;
  private final int maxMessages;
  private final int maxBytes;
  private final int maxBytesOfOne;

  private ReceiveSizing(
      int min, int initial, int max, int maxMessages, int maxBytes, int maxBytesOfOne) {
    this.min = min;
    this.initial = initial;
    this.max = max;
    this.maxMessages = maxMessages;
    this.maxBytes = maxBytes;
    this.maxBytesOfOne = maxBytesOfOne;
  }

  /** From 64 bytes to 64 KiB, at first 2 KiB. */
  public static ReceiveSizing adaptive() {
    return adaptive(DEFAULT_MIN, DEFAULT_INITIAL, DEFAULT_MAX);
  }

  /**
   * A guess that follows what is read. Guesses are sizes of the pool's classes: the limits are
   * rounded up to the next one.
   *
   * @param min bytes of the smallest guess, 1 or more
   * @param initial bytes of the first guess, {@code min} to {@code max}
   * @param max bytes of the largest guess, to {@link #MAX_GUESS_BYTES}
   * @throws IllegalArgumentException if they are out of their ranges
   */
  public static ReceiveSizing adaptive(int min, int initial, int max) {
    if (min < 1 || initial < min || max < initial || max > MAX_GUESS_BYTES) {
      throw new IllegalArgumentException(
          "min: %d, initial: %d, max: %d (expected: 1 <= min <= initial <= max <= %d)"
              .formatted(min, initial, max, MAX_GUESS_BYTES));
    }
    return of(roundedUp(min), roundedUp(initial), roundedUp(max));
  }

  /**
   * Always the same guess, for messages of a known size.
   *
   * @param bytes 1 or more
   * @throws IllegalArgumentException if it is less
   */
  public static ReceiveSizing fixed(int bytes) {
    requirePositive(bytes, "bytes");
    return of(bytes, bytes, bytes);
  }

  private static ReceiveSizing of(int min, int initial, int max) {
    return new ReceiveSizing(
        min, initial, max, DEFAULT_MESSAGES, Integer.MAX_VALUE, Integer.MAX_VALUE);
  }

  private static int requirePositive(int value, String name) {
    if (value < 1) {
      throw new IllegalArgumentException(name + ": " + value + " (expected: >= 1)");
    }
    return value;
  }

  /** The smallest class that holds so many bytes, up to {@link #MAX_GUESS_BYTES}. */
  static int roundedUp(int bytes) {
    return CLASSES.bytes(CLASSES.of(Math.min(bytes, MAX_GUESS_BYTES)));
  }

  /**
   * With at most so many messages in one read loop; 16 unless given.
   *
   * @throws IllegalArgumentException if it is less than 1
   */
  public ReceiveSizing withMaxMessagesPerRead(int messages) {
    return new ReceiveSizing(
        min,
        initial,
        max,
        requirePositive(messages, "maxMessagesPerRead"),
        maxBytes,
        maxBytesOfOne);
  }

  /**
   * With at most so many bytes in one read loop; no limit unless given.
   *
   * @throws IllegalArgumentException if it is less than 1
   */
  public ReceiveSizing withMaxBytesPerRead(int bytes) {
    return new ReceiveSizing(
        min, initial, max, maxMessages, requirePositive(bytes, "maxBytesPerRead"), maxBytesOfOne);
  }

  /**
   * With at most so many bytes in each single read of a loop; no limit but the guess unless given.
   *
   * @throws IllegalArgumentException if it is less than 1
   */
  public ReceiveSizing withMaxBytesPerIndividualRead(int bytes) {
    return new ReceiveSizing(
        min,
        initial,
        max,
        maxMessages,
        maxBytes,
        requirePositive(bytes, "maxBytesPerIndividualRead"));
  }

  /** A sizer for one connection. */
  public ReceiveSizer newSizer() {
    return new ReceiveSizer(this);
  }

  int min() {
    return min;
  }

  int initial() {
    return initial;
  }

  int max() {
    return max;
  }

  int maxMessages() {
    return maxMessages;
  }

  int maxBytes() {
    return maxBytes;
  }

  int maxBytesOfOne() {
    return maxBytesOfOne;
  }
}
