/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.memory.NioMemory;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One message in the queue. The indices of its buffer are not moved, so that the same buffer,
 * retained, can wait in several queues.
 */
final class OutboundEntry {
  private static final boolean CAN_MOVE_WINDOWS = NioMemory.canWrap();

  /** The one behind it; of a free entry, the next free one. */
  @Nullable OutboundEntry next;

  /** What is released; null if it was dropped. */
  @Nullable Object message;

  @Nullable WriteListener listener;

  /** Of a message that is no buffer itself. */
  private @Nullable ByteBuf content;

  /** How many NIO buffers it is shown by, asked once; 1 where it has an address. */
  private int nioBufferCount;

  private int start;
  private int length;
  private int written;

  /**
   * Takes a message in; its content is what is readable now.
   *
   * @throws IllegalArgumentException if a channel cannot be shown its bytes
   */
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
    nioBufferCount = isAddressed(bytes) ? 1 : countOf(bytes);
  }

  private static boolean isAddressed(ByteBuf bytes) {
    return CAN_MOVE_WINDOWS && bytes.hasMemoryAddress();
  }

  private static int countOf(ByteBuf bytes) {
    int count = bytes.nioBufferCount();
    if (count < 1) {
      throw new IllegalArgumentException(
          "message of " + bytes.getClass().getName() + " without a memory address or NIO buffers");
    }
    return count;
  }

  /** Lets go of the message; the listener is another matter. */
  void empty() {
    message = null;
    content = null;
  }

  /** Nothing of it is offered any more; it is released in its turn. */
  void skip() {
    length = written;
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
   * Offers what is left, as far as there is room. Where the bytes are is asked each time, since who
   * made the message can still move them.
   *
   * @throws dev.cistern.util.IllegalReferenceCountException if the buffer was released
   * @throws IndexOutOfBoundsException if it was made smaller
   */
  void gather(GatheringArray array) {
    int left = left();
    if (left == 0) {
      return;
    }
    ByteBuf bytes = bytes();
    int from = start + written;
    byte unused = bytes.getByte(from + left - 1); // live, and large enough; views of it too
    if (isAddressed(bytes)) {
      array.add(bytes.memoryAddress() + from, left);
    } else {
      gatherParts(array, parts(bytes, from, left), left);
    }
  }

  private ByteBuffer[] parts(ByteBuf bytes, int from, int left) {
    return nioBufferCount == 1
        ? new ByteBuffer[] {bytes.nioBuffer(from, left)}
        : bytes.nioBuffers(from, left);
  }

  private static void gatherParts(GatheringArray array, ByteBuffer[] parts, int left) {
    long shown = 0;
    for (ByteBuffer part : parts) {
      shown += part.remaining();
    }
    if (shown != left) {
      throw new IllegalStateException(
          "a pending message shows "
              + shown
              + " bytes by its NIO buffers (expected: "
              + left
              + ")");
    }
    for (ByteBuffer part : parts) {
      if (part.hasRemaining() && array.hasRoom()) {
        array.add(part);
      }
    }
  }
}
