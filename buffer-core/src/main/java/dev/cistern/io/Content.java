/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.ByteBufAllocator;
import dev.cistern.buffer.ByteBufHolder;
import dev.cistern.util.IllegalReferenceCountException;
import dev.cistern.util.ReferenceCountUtil;

/** What a channel is offered of a message. */
final class Content {
  private Content() {}

  /**
   * The buffer of a message.
   *
   * @throws IllegalArgumentException if it has none
   * @throws IllegalReferenceCountException if it was released already
   */
  static ByteBuf of(Object message) {
    ByteBuf bytes;
    if (message instanceof ByteBuf buffer) {
      bytes = buffer;
    } else if (message instanceof ByteBufHolder holder) {
      bytes = holder.content();
    } else {
      throw new IllegalArgumentException(
          "message of "
              + message.getClass().getName()
              + " (expected: a ByteBuf or a ByteBufHolder)");
    }
    if (bytes.refCnt() == 0) {
      throw new IllegalReferenceCountException(0);
    }
    return bytes;
  }

  /** Whether the system would have to copy it for each write that offers it. */
  static boolean isToBeCopied(ByteBuf bytes) {
    return !bytes.isDirect() && bytes.isReadable();
  }

  /** What is readable, in a direct buffer. */
  static ByteBuf copied(ByteBuf bytes, ByteBufAllocator allocator) {
    int length = bytes.readableBytes();
    ByteBuf copy = allocator.directBuffer(length, length);
    try {
      return copy.writeBytes(bytes, bytes.readerIndex(), length);
    } catch (Throwable failure) {
      copy.release();
      throw failure;
    }
  }

  /** Whether there is nothing to give up any more; what does not tell is taken to be live. */
  static boolean isReleased(Object message) {
    try {
      return ReferenceCountUtil.refCnt(message) == 0;
    } catch (RuntimeException | Error untold) {
      return false;
    }
  }
}
