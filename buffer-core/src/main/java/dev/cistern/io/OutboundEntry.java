/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.Unpooled;
import dev.cistern.memory.NioWindow;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One message in the queue. The indices of its buffer are not moved, so that the same buffer,
 * retained, can wait in several queues.
 */
final class OutboundEntry {
  private static final boolean CAN_MOVE_WINDOWS = NioWindow.isAvailable();

  /** The one behind it; of a free entry, the next free one. */
  @Nullable OutboundEntry next;

  /** What is released. */
  Object message = Unpooled.EMPTY_BUFFER;

  @Nullable WriteListener listener;

  private ByteBuf bytes = Unpooled.EMPTY_BUFFER;

  /** From the first byte to the last one, where it has no address; each begins at position 0. */
  private ByteBuffer @Nullable [] parts;

  private boolean hasAddress;
  private int start;
  private int length;
  private int written;

  /** Takes a message in; its content is what is readable now. */
  void fill(Object newMessage, ByteBuf newBytes, @Nullable WriteListener newListener) {
    message = newMessage;
    bytes = newBytes;
    listener = newListener;
    start = newBytes.readerIndex();
    length = newBytes.readableBytes();
    written = 0;
    hasAddress = CAN_MOVE_WINDOWS && newBytes.hasMemoryAddress();
  }

  /** Lets go of all that it holds. */
  void clear() {
    next = null;
    message = Unpooled.EMPTY_BUFFER;
    bytes = Unpooled.EMPTY_BUFFER;
    listener = null;
    parts = null;
  }

  /**
   * Lets go of the message, so that an empty one waits in its place.
   *
   * @return the message
   */
  Object empty() {
    Object emptied = message;
    message = Unpooled.EMPTY_BUFFER;
    bytes = Unpooled.EMPTY_BUFFER;
    length = 0;
    return emptied;
  }

  /** Bytes that the channel has not taken yet. */
  int left() {
    return length - written;
  }

  /** The channel took so many more. */
  void advance(int taken) {
    written += taken;
  }

  /** Whether nobody wants it any more, and none of it was sent. */
  boolean isCancelled() {
    return written == 0 && listener instanceof WriteFuture future && future.isCancelled();
  }

  /**
   * Offers what is left, as far as there is room.
   *
   * @throws dev.cistern.util.IllegalReferenceCountException if the buffer was released
   * @throws IndexOutOfBoundsException if it was made smaller
   */
  void gather(GatheringArray array) {
    if (left() == 0) {
      return;
    }
    if (!hasAddress) {
      gatherParts(array);
      return;
    }
    long address = bytes.memoryAddress() + start + written;
    if (bytes.capacity() - start < length) {
      throw madeSmaller();
    }
    array.add(address, left());
  }

  private IndexOutOfBoundsException madeSmaller() {
    return new IndexOutOfBoundsException(
        "a pending message of bytes "
            + start
            + " to "
            + (start + length)
            + " was made smaller: capacity "
            + bytes.capacity());
  }

  private void gatherParts(GatheringArray array) {
    if (bytes.refCnt() == 0 || parts == null) {
      parts = parts(); // and refuses what was released
    }
    int skip = written;
    for (ByteBuffer part : parts) {
      int bytesOfPart = part.capacity();
      if (skip >= bytesOfPart) {
        skip -= bytesOfPart;
      } else if (array.hasRoom()) {
        array.add(part, skip);
        skip = 0;
      } else {
        return;
      }
    }
  }

  /** How many there are is asked once. */
  private ByteBuffer[] parts() {
    ByteBuffer[] shown =
        bytes.nioBufferCount() == 1
            ? new ByteBuffer[] {bytes.nioBuffer(start, length)}
            : bytes.nioBuffers(start, length);
    for (int i = 0; i < shown.length; i++) {
      shown[i] = shown[i].slice();
    }
    return shown;
  }
}
