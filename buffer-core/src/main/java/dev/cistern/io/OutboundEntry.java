/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

import dev.cistern.buffer.ByteBuf;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A message in the queue. The indices of its buffer do not move, so the same buffer can be retained
 * and wait in several queues.
 */
final class OutboundEntry {
  /** The next entry of the queue; of a free entry, the next free one. */
  @Nullable OutboundEntry next;

  /** The object to release, which contains {@link #content}; null in a free entry. */
  @Nullable Object message;

  @Nullable WriteListener listener;

  private @Nullable ByteBuf content;

  private int start;
  private int length;
  private int written;

  /**
   * Returns the entry of a message, whose content is the bytes that are readable now.
   *
   * @param message the object to release: the buffer or its holder
   * @throws IllegalArgumentException if its bytes cannot be offered to a channel
   */
  static OutboundEntry newInstance(
      Object message, ByteBuf content, @Nullable WriteListener listener) {
    if (!GatheringArray.isAddressed(content) && content.nioBufferCount() < 1) {
      String type = content.getClass().getName();
      throw new IllegalArgumentException(
          "message of " + type + " without a memory address or NIO buffers");
    }
    int start = content.readerIndex();
    int length = content.readableBytes();
    OutboundEntry entry = FreeEntries.current().take(); // nothing fails from here on
    entry.message = message;
    entry.content = content;
    entry.listener = listener;
    entry.start = start;
    entry.length = length;
    entry.written = 0;
    return entry;
  }

  /** Clears the references to the message. */
  void clear() {
    message = null;
    content = null;
    listener = null;
  }

  /** Returns the number of bytes that the channel has not taken yet. */
  int left() {
    return length - written;
  }

  /** Counts bytes that the channel took. */
  void advance(int taken) {
    written += taken;
  }

  /** Skips the bytes that are left; the message is released in its turn. */
  void skip() {
    length = written;
  }

  /** Returns whether the future was cancelled before a byte was sent. */
  boolean isCancelled() {
    return written == 0 && listener instanceof WriteFuture future && future.isCancelled();
  }

  /** Offers the bytes that are left with {@link GatheringArray#add}, as far as there is room. */
  void gather(GatheringArray array) {
    int left = left();
    if (left > 0) {
      array.add(Objects.requireNonNull(content), start + written, left);
    }
  }
}
