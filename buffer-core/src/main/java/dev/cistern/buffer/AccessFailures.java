/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.util.IllegalReferenceCountException;
import java.nio.ReadOnlyBufferException;

/**
 * Why an access was refused: the checks of {@link AbstractByteBuf} compare once, and what it was
 * that failed is found out here. Each method returns what its caller throws.
 */
final class AccessFailures {
  private AccessFailures() {}

  private static boolean isReleased(AbstractByteBuf buffer) {
    return buffer.liveCapacity() < 0 && buffer.refCnt() == 0;
  }

  /** A range that may not be touched. */
  static RuntimeException access(AbstractByteBuf buffer, int index, int length) {
    return isReleased(buffer)
        ? new IllegalReferenceCountException(0)
        : range("index", index, length, buffer.capacity(), "the capacity");
  }

  /** A range that may not be written. */
  static RuntimeException write(AbstractByteBuf buffer, int index, int length) {
    return buffer.isReadOnly() ? new ReadOnlyBufferException() : access(buffer, index, length);
  }

  /** A range of the other side of a transfer. */
  static RuntimeException other(String name, int index, int length, int capacity) {
    return range(name, index, length, capacity, "its capacity");
  }

  private static RuntimeException range(
      String name, int index, int length, int capacity, String limit) {
    return new IndexOutOfBoundsException(
        name
            + ": "
            + index
            + ", length: "
            + length
            + " (expected: range(0, "
            + capacity
            + "), "
            + limit
            + ")");
  }

  /** More than there is to read. */
  static RuntimeException read(AbstractByteBuf buffer, int length) {
    if (length < 0) {
      return negative("length", length);
    }
    if (isReleased(buffer)) {
      return new IllegalReferenceCountException(0);
    }
    return new IndexOutOfBoundsException(
        "readerIndex("
            + buffer.readerIndex()
            + ") + length("
            + length
            + ") exceeds writerIndex("
            + buffer.writerIndex()
            + "), capacity: "
            + buffer.capacity());
  }

  /** More than there is room for, in a buffer that is live. */
  static RuntimeException growth(AbstractByteBuf buffer, int length) {
    if (buffer.isReadOnly() && length <= buffer.maxCapacity() - buffer.writerIndex()) {
      return new ReadOnlyBufferException();
    }
    return new IndexOutOfBoundsException(
        "writerIndex("
            + buffer.writerIndex()
            + ") + length("
            + length
            + ") exceeds maxCapacity("
            + buffer.maxCapacity()
            + "), capacity: "
            + buffer.capacity());
  }

  /** Indices that are in no order. */
  static RuntimeException indices(AbstractByteBuf buffer, int readerIndex, int writerIndex) {
    return new IndexOutOfBoundsException(
        "readerIndex: "
            + readerIndex
            + ", writerIndex: "
            + writerIndex
            + " (expected: 0 <= readerIndex <= writerIndex <= capacity("
            + buffer.capacity()
            + "))");
  }

  /** A number that must not be negative. */
  static RuntimeException negative(String name, int value) {
    return new IllegalArgumentException(name + ": " + value + " (expected: >= 0)");
  }
}
