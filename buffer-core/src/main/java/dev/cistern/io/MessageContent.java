/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.ByteBufHolder;
import dev.cistern.util.IllegalReferenceCountException;
import dev.cistern.util.ReferenceCountUtil;

/** The buffers in messages. */
final class MessageContent {
  private MessageContent() {}

  /**
   * Returns the buffer of a message.
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

  /** Returns whether there is nothing left to release; false if the message cannot say it. */
  static boolean isReleased(Object message) {
    try {
      return ReferenceCountUtil.refCnt(message) == 0;
    } catch (RuntimeException | Error unknown) {
      return false;
    }
  }
}
