/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.server;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.ByteBufAllocator;

/** What a buffer that waits may cost. */
final class Buffers {
  private Buffers() {}

  /**
   * The same bytes, in a buffer of their size where most of this one would be empty: a client that
   * does not read makes us keep what counts for the water marks, and not many times that.
   *
   * @param buffer taken over
   */
  static ByteBuf fitted(ByteBuf buffer, ByteBufAllocator allocator) {
    int bytes = buffer.readableBytes();
    if (bytes > buffer.capacity() / 2) {
      return buffer;
    }
    try {
      return allocator.ioBuffer(bytes).writeBytes(buffer);
    } finally {
      buffer.release();
    }
  }
}
