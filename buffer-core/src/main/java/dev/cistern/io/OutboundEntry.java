/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.memory.NioWindow;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One message in the queue. The indices of its buffer are not moved, so that the same buffer,
 * retained, can wait in several queues.
 */
final class OutboundEntry {
  private static final boolean CAN_MOVE_WINDOWS = NioWindow.isAvailable();

  /** The one behind it; of a free entry, the next free one. */
  @Nullable OutboundEntry next;

  /** What is released; null if it was dropped. */
  @Nullable Object message;

  @Nullable WriteListener listener;

  /** Of a message that is no buffer itself. */
  private @Nullable ByteBuf content;

  /** From the first byte to the last one, where it has no address; each begins at position 0. */
  private ByteBuffer @Nullable [] parts;

  private boolean hasAddress;
  private int start;
  private int length;
  private int written;

  /** Takes a message in; its content is what is readable now. */
  void fill(Object newMessage, ByteBuf bytes, @Nullable WriteListener newListener) {
    message = newMessage;
    if (newMessage != bytes) {
      content = bytes;
    }
    if (newListener != null) {
      listener = newListener;
    }
    start = bytes.readerIndex();
    length = bytes.readableBytes();
    written = 0;
    hasAddress = CAN_MOVE_WINDOWS && bytes.hasMemoryAddress();
  }

  /** Lets go of the message and of all that comes with it, but for the listener. */
  void drop() {
    message = null;
    content = null;
    parts = null;
    length = 0;
    written = 0;
  }

  private ByteBuf bytes() {
    return content == null ? (ByteBuf) Objects.requireNonNull(message) : content;
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
    ByteBuf bytes = bytes();
    long address = bytes.memoryAddress() + start + written;
    if (bytes.capacity() - start < length) {
      throw madeSmaller(bytes);
    }
    array.add(address, left());
  }

  private IndexOutOfBoundsException madeSmaller(ByteBuf bytes) {
    return new IndexOutOfBoundsException(
        "a pending message of bytes "
            + start
            + " to "
            + (start + length)
            + " was made smaller: capacity "
            + bytes.capacity());
  }

  private void gatherParts(GatheringArray array) {
    ByteBuf bytes = bytes();
    if (bytes.refCnt() == 0 || parts == null) {
      parts = partsOf(bytes); // and refuses what was released
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
  private ByteBuffer[] partsOf(ByteBuf bytes) {
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
