/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.ContiguousRange;
import dev.cistern.memory.NioMemory;
import dev.cistern.util.Recycler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The NIO buffers of one gathering write. For messages with a memory address, the NIO buffers are
 * windows, which are created once and moved for each write.
 */
final class GatheringArray {
  private static final boolean CAN_MOVE_WINDOWS = NioMemory.canWrap();
  private static final int FIRST_LENGTH = 16;
  private static final int FIRST_ASSUMED_BYTES = 4096;

  /**
   * The free arrays. A platform thread needs a second array for a channel that writes to another
   * outbound buffer.
   */
  private static final Recycler<GatheringArray> RECYCLER =
      new Recycler<>(2, 1, 1) {
        @Override
        protected GatheringArray newObject(Handle<GatheringArray> handle) {
          return new GatheringArray(handle);
        }
      };

  private final Recycler.Handle<GatheringArray> handle;

  /** The windows. Each window is created when it is first needed. */
  private @Nullable ByteBuffer[] windows = {};

  /** The windows; during a write, some are replaced by NIO buffers of messages. */
  private @Nullable ByteBuffer[] offered = {};

  private int count;
  private long bytes;
  private int maxBuffers;
  private long maxBytes;

  private GatheringArray(Recycler.Handle<GatheringArray> handle) {
    this.handle = handle;
  }

  /** Starts a write, with an array that is not in use. */
  static GatheringArray begin(OutboundSettings settings) {
    GatheringArray array = RECYCLER.get();
    array.maxBuffers = settings.maxBuffersPerWrite();
    array.maxBytes = settings.maxBytesPerWrite();
    return array;
  }

  boolean hasRoom() {
    return count < maxBuffers && bytes < maxBytes;
  }

  /** Returns the number of bytes that this array offers. */
  long bytes() {
    return bytes;
  }

  /** Returns whether a window shows the bytes, so that the buffer makes no NIO buffer. */
  static boolean isAddressed(ByteBuf buffer) {
    return CAN_MOVE_WINDOWS && buffer.hasMemoryAddress();
  }

  /**
   * Adds a range of a buffer, or the first part of it; there must be {@linkplain #hasRoom room}.
   * The memory is looked up in each write, because the owner of a message can still move it.
   *
   * @throws dev.cistern.util.IllegalReferenceCountException if the buffer was released
   * @throws IndexOutOfBoundsException if the buffer has shrunk
   */
  void add(ByteBuf buffer, int from, int length) {
    byte unused = buffer.getByte(from + length - 1); // live, and large enough; so are its roots
    if (isAddressed(buffer)) {
      addWindow(buffer.memoryAddress() + from, length);
    } else {
      int assumed = FIRST_ASSUMED_BYTES;
      for (int shown = 0; shown < length && hasRoom(); ) {
        int next = lengthWithinRoom(buffer, from + shown, length - shown);
        if (next == 0) { // unknown components: try more and more bytes, until there is no room
          next = (int) Math.min(Math.min(length - shown, assumed), maxBytes - bytes);
          assumed *= 2;
        }
        addParts(buffer.nioBuffers(from + shown, next), next);
        shown += next;
      }
    }
  }

  private void addWindow(long address, int length) {
    int shown = makePlace(length);
    ByteBuffer window = windows[count];
    if (window == null) {
      window = NioMemory.wrap(address, shown);
      windows[count] = window;
      offered[count] = window;
    } else {
      NioMemory.move(window, address, shown);
    }
    count++;
  }

  /**
   * Returns the length of the range for which there is room: a composite returns a NIO buffer for
   * each component in a range. The range ends before unknown components, so it is 0 if the first
   * component is unknown.
   */
  private int lengthWithinRoom(ByteBuf buffer, int from, int length) {
    int shown = 0;
    for (int i = count; i < maxBuffers && shown < length && shown < maxBytes - bytes; i++) {
      int piece = ContiguousRange.length(buffer, from + shown, length - shown);
      if (piece == 0) {
        break;
      }
      shown += piece;
    }
    return shown;
  }

  private void addParts(ByteBuffer[] parts, int expected) {
    long shown = 0;
    for (ByteBuffer part : parts) {
      shown += part.remaining();
    }
    if (shown != expected) {
      throw new IllegalStateException(
          "NIO buffers of a pending message: %d bytes (expected: %d)".formatted(shown, expected));
    }
    for (ByteBuffer part : parts) {
      if (part.hasRemaining() && hasRoom()) {
        int length = makePlace(part.remaining());
        offered[count++] = part.limit(part.position() + length);
      }
    }
  }

  /** Makes room for one more NIO buffer. Returns the number of its bytes that the write offers. */
  private int makePlace(int length) {
    if (count == offered.length) {
      int newLength = Math.min(maxBuffers, Math.max(FIRST_LENGTH, 2 * count));
      windows = Arrays.copyOf(windows, newLength);
      offered = Arrays.copyOf(offered, newLength);
    }
    int shown = (int) Math.min(length, maxBytes - bytes);
    bytes += shown;
    return shown;
  }

  /**
   * Offers all bytes to a channel, unless there are none.
   *
   * @return the number of bytes that the channel took
   */
  long writeTo(GatheringByteChannel channel) throws IOException {
    if (count == 0) {
      return 0;
    }
    long taken = count == 1 ? channel.write(offered[0]) : channel.write(offered, 0, count);
    if (taken < 0 || taken > bytes) {
      throw new IOException(
          "bytes taken by " + channel + ": " + taken + " (expected: 0 to " + bytes + ")");
    }
    return taken;
  }

  /**
   * Ends the write: drops the NIO buffers of messages, and the references of windows to their
   * memory.
   */
  @SuppressWarnings("ReferenceEquality") // the object itself counts, not its content
  void end() {
    for (int i = 0; i < count; i++) {
      ByteBuffer window = windows[i];
      if (window != null) {
        NioMemory.shut(window);
      }
      if (offered[i] != window) {
        offered[i] = window;
      }
    }
    count = 0;
    bytes = 0;
    handle.recycle(this);
  }
}
