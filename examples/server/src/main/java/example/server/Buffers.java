/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.server;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.ByteBufAllocator;

/** Limits the memory of buffers that wait. */
final class Buffers {
  private Buffers() {}

  /**
   * Returns the buffer, or moves its bytes to a buffer of their size if more than half of its
   * capacity would be unused. If a client does not read, the server therefore keeps about as many
   * bytes as it counts for the water marks, and not many times that number.
   *
   * @param buffer buffer whose ownership passes to this method
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
