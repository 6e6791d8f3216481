/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * Checks of {@code readCharSequence}, for which Netty does not compare the length with the readable
 * bytes.
 */
final class ReadTextChecks {
  private ReadTextChecks() {}

  /** Returns whether Netty reads text beyond its writer index, but within its capacity. */
  static boolean readsPastTheWriterIndex(TwinCall call) {
    return isBeyondTheWriterIndex(call)
        && !isBeyondTheCapacity(call)
        && isTextOf(
            call, Twin.bytes(call.twin().theirs(), call.readerIndex(), call.intArgument(0)));
  }

  /** Returns whether Netty reads text beyond its capacity, from the rest of its array. */
  static boolean readsPastTheCapacity(TwinCall call) {
    io.netty.buffer.ByteBuf theirs = call.twin().theirs();
    if (!isBeyondTheWriterIndex(call) || !isBeyondTheCapacity(call) || !theirs.hasArray()) {
      return false;
    }
    int from = theirs.arrayOffset() + call.readerIndex();
    int length = call.intArgument(0);
    return length <= theirs.array().length - from
        && isTextOf(call, java.util.Arrays.copyOfRange(theirs.array(), from, from + length));
  }

  private static boolean isBeyondTheWriterIndex(TwinCall call) {
    return call.name().equals("readCharSequence")
        && call.refCnt() > 0
        && call.intArgument(0) > call.writerIndex() - call.readerIndex()
        && call.oursThrows(IndexOutOfBoundsException.class)
        && call.isOursUnchanged();
  }

  private static boolean isBeyondTheCapacity(TwinCall call) {
    return call.intArgument(0) > call.capacity() - call.readerIndex();
  }

  /** Returns whether Netty returned the text of these bytes, and moved its reader index. */
  private static boolean isTextOf(TwinCall call, byte[] bytes) {
    io.netty.buffer.ByteBuf theirs = call.twin().theirs();
    return call.theirs().value() instanceof CharSequence text
        && text.toString().equals(decoded(bytes, (Charset) call.argument(1)))
        && theirs.readerIndex() == call.readerIndex() + bytes.length
        && theirs.writerIndex() == call.writerIndex()
        && call.hasTheirBytesOfBefore();
  }

  /**
   * Returns Netty's text of the bytes. For US-ASCII, it is an {@code AsciiString}, in which each
   * byte becomes one character.
   */
  private static String decoded(byte[] bytes, Charset charset) {
    boolean isAscii = charset.equals(StandardCharsets.US_ASCII);
    return new String(bytes, isAscii ? StandardCharsets.ISO_8859_1 : charset);
  }

  /** Returns whether Netty reports a null charset, or fails to make an array of a wrong length. */
  static boolean failsAtCharsetOrArray(TwinCall call) {
    boolean isNegative =
        call.name().equals("readCharSequence")
            && call.intArgument(0) < 0
            && call.oursThrows(IllegalArgumentException.class)
            && call.isOursUnchanged();
    if (!call.isTheirsUnchanged() || !(isNegative || isBeyondTheWriterIndex(call))) {
      return false;
    } else if (isNegative && !call.theirsThrows(NullPointerException.class)) {
      return call.theirsThrows(NegativeArraySizeException.class)
          || call.theirsThrows(IndexOutOfBoundsException.class);
    }
    return call.argument(1) == null
        ? call.theirsThrows(NullPointerException.class)
        : call.theirsThrows(OutOfMemoryError.class);
  }
}
