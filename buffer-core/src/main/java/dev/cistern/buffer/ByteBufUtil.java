/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

/** What can be said of any two buffers, or of any one (seed row D2). */
public final class ByteBufUtil {
  private static final int EMPTY_HASH = 1;
  private static final int HASH_FACTOR = 31;

  private ByteBufUtil() {}

  /** A hash of the readable bytes: the same for any kind of buffer with the same bytes. */
  public static int hashCode(ByteBuf buffer) {
    int index = buffer.readerIndex();
    int end = buffer.writerIndex();
    int hash = EMPTY_HASH;
    for (; index <= end - Integer.BYTES; index += Integer.BYTES) {
      hash = HASH_FACTOR * hash + buffer.getInt(index);
    }
    for (; index < end; index++) {
      hash = HASH_FACTOR * hash + buffer.getByte(index);
    }
    return hash == 0 ? EMPTY_HASH : hash;
  }

  /** True if both have the same readable bytes. */
  public static boolean equals(ByteBuf a, ByteBuf b) {
    int length = a.readableBytes();
    return length == b.readableBytes() && equals(a, a.readerIndex(), b, b.readerIndex(), length);
  }

  /**
   * True if {@code length} bytes of {@code a} and of {@code b} are the same; false as well where
   * either has fewer up to its writer index.
   *
   * @throws IllegalArgumentException if an index or the length is negative
   */
  public static boolean equals(ByteBuf a, int aStartIndex, ByteBuf b, int bStartIndex, int length) {
    if ((aStartIndex | bStartIndex | length) < 0) {
      throw new IllegalArgumentException(
          "aStartIndex: "
              + aStartIndex
              + ", bStartIndex: "
              + bStartIndex
              + ", length: "
              + length
              + " (expected: >= 0)");
    }
    if (a.writerIndex() - length < aStartIndex || b.writerIndex() - length < bStartIndex) {
      return false;
    }
    int i = 0;
    for (; i <= length - Long.BYTES; i += Long.BYTES) {
      if (a.getLong(aStartIndex + i) != b.getLong(bStartIndex + i)) {
        return false;
      }
    }
    for (; i < length; i++) {
      if (a.getByte(aStartIndex + i) != b.getByte(bStartIndex + i)) {
        return false;
      }
    }
    return true;
  }

  /** Orders by the readable bytes, unsigned, the shorter one first where one begins the other. */
  public static int compare(ByteBuf a, ByteBuf b) {
    int aIndex = a.readerIndex();
    int bIndex = b.readerIndex();
    int common = Math.min(a.readableBytes(), b.readableBytes());
    int i = 0;
    for (; i <= common - Long.BYTES; i += Long.BYTES) {
      int order = Long.compareUnsigned(a.getLong(aIndex + i), b.getLong(bIndex + i));
      if (order != 0) {
        return order;
      }
    }
    for (; i < common; i++) {
      int order = a.getUnsignedByte(aIndex + i) - b.getUnsignedByte(bIndex + i);
      if (order != 0) {
        return order;
      }
    }
    return a.readableBytes() - b.readableBytes();
  }

  /**
   * The first index of {@code value} from {@code fromIndex} up to before {@code toIndex}, or, if
   * {@code fromIndex} is the larger, the last one from before it down to {@code toIndex}; -1 if
   * there is none.
   */
  public static int indexOf(ByteBuf buffer, int fromIndex, int toIndex, byte value) {
    return buffer.indexOf(fromIndex, toIndex, value);
  }
}
