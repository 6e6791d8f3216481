/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.util.Recycler;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One message in the queue. The indices of its buffer are not moved, so that the same buffer,
 * retained, can wait in several queues.
 */
final class OutboundEntry {
  /** A platform thread keeps up to so many; others of a burst are garbage. */
  private static final int MAX_KEPT = 4096;

  private static final Recycler<OutboundEntry> RECYCLER =
      new Recycler<>(MAX_KEPT, 1, 16) {
        @Override
        protected OutboundEntry newObject(Handle<OutboundEntry> handle) {
          return new OutboundEntry(handle);
        }
      };

  private final Recycler.Handle<OutboundEntry> handle;

  /** The next entry of the queue. */
  @Nullable OutboundEntry next;

  /** The object to release; null in a free entry. */
  @Nullable Object message;

  @Nullable WriteListener listener;

  /** The buffer of a message that is no buffer itself. */
  private @Nullable ByteBuf content;

  private int start;
  private int length;
  private int written;

  private OutboundEntry(Recycler.Handle<OutboundEntry> handle) {
    this.handle = handle;
  }

  static OutboundEntry newInstance() {
    return RECYCLER.get();
  }

  /** Gives the entry, which holds nothing, back for the next message. */
  void recycle() {
    next = null;
    handle.recycle(this);
  }

  /**
   * Takes a message, whose content is what is readable now.
   *
   * @throws IllegalArgumentException if a channel cannot be offered its bytes
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
    if (!GatheringArray.isAddressed(bytes) && bytes.nioBufferCount() < 1) {
      throw new IllegalArgumentException(
          "message of " + bytes.getClass().getName() + " without a memory address or NIO buffers");
    }
  }

  /** Forgets the message, but not the listener. */
  void clearMessage() {
    message = null;
    content = null;
  }

  /** Returns the number of bytes that the channel has not taken yet. */
  int left() {
    return length - written;
  }

  /** Counts bytes that the channel took. */
  void advance(int taken) {
    written += taken;
  }

  /** Offers no further bytes; the message is released in its turn. */
  void skip() {
    length = written;
  }

  /** Returns whether the future was cancelled before a byte was sent. */
  boolean isCancelled() {
    return written == 0 && listener instanceof WriteFuture future && future.isCancelled();
  }

  /** Offers the bytes that are left, as far as there is room, as {@link GatheringArray#add}. */
  void gather(GatheringArray array) {
    int left = left();
    if (left > 0) {
      ByteBuf bytes = content == null ? (ByteBuf) Objects.requireNonNull(message) : content;
      array.add(bytes, start + written, left);
    }
  }
}
