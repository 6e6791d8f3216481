/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Creates the copy of a stats file that is no longer written. */
final class CompactCopy {
  private CompactCopy() {}

  /** Returns the whole copy; {@code frame} is null if the file has none. */
  static byte[] bytes(
      HeaderReader header,
      byte[] history,
      @Nullable FrameReader frame,
      boolean isTorn,
      long diedMillis) {
    int headerBytes = Layout.HEADER_BYTES;
    int frameAt = headerBytes + history.length;
    int frameBytes = frame == null ? 0 : Layout.FRAME_HEADER_BYTES + frame.length();
    byte[] copy = Arrays.copyOf(header.bytes(), frameAt + frameBytes);
    System.arraycopy(history, 0, copy, headerBytes, history.length);
    if (frame != null) {
      System.arraycopy(frame.frame(), 0, copy, frameAt, frameBytes);
    }
    Layout.put(copy, Layout.HISTORY_PLACE_AT, headerBytes);
    Layout.put(copy, Layout.HISTORY_LENGTH_AT, history.length);
    long flags = (header.flags & ~Layout.LOCK_FLAG) | Layout.COPY_FLAG;
    Layout.put(copy, Layout.FILE_BYTES_AT, copy.length);
    Layout.put(copy, Layout.FLAGS_AT, isTorn ? flags | Layout.TORN_FLAG : flags);
    Layout.put(copy, Layout.DIED_MILLIS_AT, diedMillis);
    putSlot(copy, 0, frameAt, frameBytes);
    putSlot(copy, 1, frameAt, 0);
    return copy;
  }

  private static void putSlot(byte[] copy, int slot, int at, int length) {
    Layout.put(copy, Layout.slotAt(slot), at);
    Layout.put(copy, Layout.slotAt(slot) + Layout.WORD, length);
  }

  static void write(byte[] bytes, Path to) throws IOException {
    Path unfinished = to.resolveSibling("." + to.getFileName() + ".tmp");
    Files.deleteIfExists(unfinished);
    try {
      try (FileChannel channel = MappedFile.openNew(unfinished)) {
        MappedFile.write(channel, bytes, bytes.length);
      }
      Files.move(
          unfinished, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException | RuntimeException | Error failure) {
      Files.deleteIfExists(unfinished);
      throw failure;
    }
  }
}
