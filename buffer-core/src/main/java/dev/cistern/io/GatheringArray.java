/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

import dev.cistern.memory.NioMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.util.Arrays;

/**
 * What one gathering write offers: windows over the messages' memory, made once and moved from
 * write to write.
 */
final class GatheringArray {
  private static final boolean CAN_MOVE_WINDOWS = NioMemory.canWrap();
  private static final ByteBuffer NO_WINDOW = ByteBuffer.allocate(0);
  private static final int FIRST_LENGTH = 16;

  /** In its place unless a message brought a NIO buffer of its own. */
  private ByteBuffer[] windows = {};

  private ByteBuffer[] offered = {};
  private int count;
  private long bytes;
  private boolean hasParts;
  private int maxBuffers;
  private long maxBytes;

  /** Begins anew. */
  void begin(OutboundSettings settings) {
    count = 0;
    bytes = 0;
    maxBuffers = settings.maxBuffersPerWrite();
    maxBytes = settings.maxBytesPerWrite();
  }

  boolean hasRoom() {
    return count < maxBuffers && bytes < maxBytes;
  }

  /** Bytes that are offered. */
  long bytes() {
    return bytes;
  }

  /** Offers native memory, or the first part of it; there must be {@linkplain #hasRoom room}. */
  void add(long address, int length) {
    if (count == windows.length) {
      grow();
    }
    int shown = (int) Math.min(length, maxBytes - bytes);
    NioMemory.move(windows[count++], address, shown);
    bytes += shown;
  }

  /** Offers what remains in a buffer, as above. */
  void add(ByteBuffer part) {
    if (count == windows.length) {
      grow();
    }
    int shown = (int) Math.min(part.remaining(), maxBytes - bytes);
    offered[count++] = part.limit(part.position() + shown);
    bytes += shown;
    hasParts = true;
  }

  /** Both arrays at once, or none where memory is short. */
  private void grow() {
    int length = Math.min(maxBuffers, Math.max(FIRST_LENGTH, 2 * windows.length));
    ByteBuffer[] longer = Arrays.copyOf(windows, length);
    for (int i = windows.length; i < length; i++) {
      longer[i] = CAN_MOVE_WINDOWS ? NioMemory.wrap(0, 0) : NO_WINDOW;
    }
    ByteBuffer[] longerOffer = Arrays.copyOf(longer, length);
    System.arraycopy(offered, 0, longerOffer, 0, count);
    windows = longer;
    offered = longerOffer;
  }

  /**
   * Offers all to a channel.
   *
   * @return bytes that it took
   */
  long writeTo(GatheringByteChannel channel) throws IOException {
    long taken = count == 1 ? channel.write(offered[0]) : channel.write(offered, 0, count);
    if (taken < 0 || taken > bytes) {
      throw new IOException(
          "a channel says that it took " + taken + " bytes of " + bytes + ": " + channel);
    }
    return taken;
  }

  /** Shows and holds nothing any more. */
  void end() {
    if (CAN_MOVE_WINDOWS) {
      for (int i = 0; i < count; i++) {
        NioMemory.shut(windows[i]);
      }
    }
    if (hasParts) {
      System.arraycopy(windows, 0, offered, 0, count);
      hasParts = false;
    }
    count = 0;
  }
}
