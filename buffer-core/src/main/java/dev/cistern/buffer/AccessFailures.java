/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.util.IllegalReferenceCountException;
import java.nio.ReadOnlyBufferException;

/**
 * Exceptions for refused accesses. A check of {@link AbstractByteBuf} is one comparison; this class
 * finds the cause only after that check has failed. Each method returns an exception to throw.
 */
final class AccessFailures {
  private AccessFailures() {}

  private static boolean isReleased(AbstractByteBuf buffer) {
    return buffer.liveCapacity() < 0 && buffer.refCnt() == 0;
  }

  /** Returns the failure of an access to a range. */
  static RuntimeException access(AbstractByteBuf buffer, int index, int length) {
    return isReleased(buffer)
        ? new IllegalReferenceCountException(0)
        : other("index", index, length, buffer.capacity());
  }

  /** Returns the failure of a write to a range. */
  static RuntimeException write(AbstractByteBuf buffer, int index, int length) {
    return buffer.isReadOnly() ? new ReadOnlyBufferException() : access(buffer, index, length);
  }

  /** Returns the failure of a range of the source or the target of a transfer. */
  static RuntimeException other(String name, int index, int length, int capacity) {
    return new IndexOutOfBoundsException(
        "%s: %s, length: %s (expected: range(0, %s), the capacity)"
            .formatted(name, index, length, capacity));
  }

  /** Returns the failure to read more than the readable bytes. */
  static RuntimeException read(AbstractByteBuf buffer, int length) {
    if (length < 0) {
      return negative("length", length);
    }
    if (isReleased(buffer)) {
      return new IllegalReferenceCountException(0);
    }
    return new IndexOutOfBoundsException(
        "readerIndex(%s) + length(%s) exceeds writerIndex(%s), capacity: %s"
            .formatted(buffer.readerIndex(), length, buffer.writerIndex(), buffer.capacity()));
  }

  /** Returns the failure to grow a live buffer. */
  static RuntimeException growth(AbstractByteBuf buffer, int length) {
    if (buffer.isReadOnly() && length <= buffer.maxCapacity() - buffer.writerIndex()) {
      return new ReadOnlyBufferException();
    }
    return new IndexOutOfBoundsException(
        "writerIndex(%s) + length(%s) exceeds maxCapacity(%s), capacity: %s"
            .formatted(buffer.writerIndex(), length, buffer.maxCapacity(), buffer.capacity()));
  }

  /** Returns the failure to set indices that are out of order. */
  static RuntimeException indices(AbstractByteBuf buffer, int readerIndex, int writerIndex) {
    return new IndexOutOfBoundsException(
        ("readerIndex: %s, writerIndex: %s"
                + " (expected: 0 <= readerIndex <= writerIndex <= capacity(%s))")
            .formatted(readerIndex, writerIndex, buffer.capacity()));
  }

  /** Returns the failure for a number that must not be negative. */
  static RuntimeException negative(String name, int value) {
    return new IllegalArgumentException(name + ": " + value + " (expected: >= 0)");
  }
}
