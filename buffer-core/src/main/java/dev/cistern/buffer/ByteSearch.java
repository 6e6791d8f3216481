/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.util.ByteProcessor;

/** Searches through the bytes of any buffer. */
final class ByteSearch {
  private ByteSearch() {}

  /** Shows the bytes from {@code from} up to before {@code to} to a processor. */
  static int ascending(AbstractByteBuf buffer, int from, int to, ByteProcessor processor) {
    try {
      return buffer.forEachByteAsc0(from, to, processor);
    } catch (Exception thrown) {
      throw ByteSearch.<RuntimeException>asItIs(thrown);
    }
  }

  /** As {@link #ascending}, from the end. */
  static int descending(AbstractByteBuf buffer, int from, int to, ByteProcessor processor) {
    try {
      return buffer.forEachByteDesc0(to - 1, from, processor);
    } catch (Exception thrown) {
      throw ByteSearch.<RuntimeException>asItIs(thrown);
    }
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // a processor's own exception
  private static <E extends Exception> E asItIs(Exception thrown) throws E {
    throw (E) thrown;
  }

  /** Returns the first index of {@code value} from {@code from} up to before {@code to}, or -1. */
  static int first(AbstractByteBuf buffer, int from, int to, byte value) {
    return ascending(buffer, from, to, new ByteProcessor.IndexOfProcessor(value));
  }

  /** Returns the last index of {@code value} from {@code from} up to before {@code to}, or -1. */
  static int last(AbstractByteBuf buffer, int from, int to, byte value) {
    return descending(buffer, from, to, new ByteProcessor.IndexOfProcessor(value));
  }
}
