/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import dev.cistern.exporter.report.HostIdentity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Reader of headers, which may contain anything. */
final class HeaderReader {
  private final byte[] bytes = new byte[Layout.HEADER_BYTES];

  /** Results of {@link #read}: offset and size of each slot; 0 for a missing slot. */
  final int[] slotsAt = new int[Layout.SLOTS];

  final int[] slotBytes = new int[Layout.SLOTS];

  /** The flags. */
  long flags;

  /** Offset of the history; 0 if there is none. */
  int historyAt;

  StatsFileHeader read(Source source) throws IOException {
    long size = source.size();
    check(size >= Layout.HEADER_BYTES, "the file is too short: ", size);
    check(size <= Layout.MAX_FILE_BYTES, "the file is too long: ", size);
    source.read(0, bytes, Layout.HEADER_BYTES);
    long magic = word(Layout.MAGIC_AT);
    check(magic != Long.reverseBytes(Layout.MAGIC), "the byte order is wrong", 0);
    check(magic == Layout.MAGIC, "this is no stats file", 0);
    long version = word(Layout.VERSION_AT);
    check(
        version >= Layout.VERSION - 1 && version <= Layout.VERSION + 1,
        "this reader knows the format versions 3, 4 and 5, not ",
        version);
    long headerBytes = word(Layout.HEADER_BYTES_AT);
    check(headerBytes == Layout.HEADER_BYTES, "wrong length of the header: ", headerBytes);
    check(word(Layout.READY_AT) == Layout.READY, "the file is not ready", 0);
    long fileBytes = word(Layout.FILE_BYTES_AT);
    check(fileBytes == size, "the file has another length than it says: ", fileBytes);
    readSlots(size);
    flags = word(Layout.FLAGS_AT);
    long at = word(Layout.HISTORY_PLACE_AT);
    boolean hasHistory =
        word(Layout.HISTORY_LENGTH_AT) == HistoryRing.BYTES
            && at >= Layout.HEADER_BYTES
            && at <= size - HistoryRing.BYTES;
    historyAt = hasHistory ? (int) at : 0;
    return header((int) version);
  }

  private void readSlots(long size) throws IOException {
    for (int slot = 0; slot < Layout.SLOTS; slot++) {
      long at = word(Layout.slotAt(slot));
      long length = word(Layout.slotAt(slot) + Layout.WORD);
      boolean isInside =
          at >= Layout.HEADER_BYTES
              && at <= size
              && at % Layout.WORD == 0
              && length >= 0
              && length <= size - at;
      check(isInside, "a slot is outside the file: ", at);
      check(length <= Layout.MAX_FILE_BYTES / Layout.SLOTS, "a slot is too long: ", length);
      slotsAt[slot] = (int) at;
      slotBytes[slot] = (int) length;
    }
    boolean isApart =
        slotsAt[0] + slotBytes[0] <= slotsAt[1]
            || slotsAt[1] + slotBytes[1] <= slotsAt[0]
            || slotBytes[0] == 0
            || slotBytes[1] == 0;
    check(isApart, "the slots overlap", 0);
  }

  private StatsFileHeader header(int version) throws IOException {
    HostIdentity identity =
        new HostIdentity(
            HexFormat.of().toHexDigits(word(Layout.HOST_ID_AT)),
            text(0),
            text(2),
            text(3),
            word(Layout.PID_AT),
            text(1),
            word(Layout.START_MILLIS_AT));
    return new StatsFileHeader(
        version,
        identity,
        word(Layout.HEARTBEAT_MILLIS_AT),
        word(Layout.INTERVAL_MILLIS_AT),
        word(Layout.EXIT_AT) == Layout.EXITED_CLEANLY,
        (flags & Layout.LOCK_FLAG) != 0,
        (flags & Layout.COPY_FLAG) != 0,
        word(Layout.DIED_MILLIS_AT),
        Math.max(0, word(Layout.FAILURES_AT)),
        word(Layout.FILE_BYTES_AT));
  }

  private long word(int at) {
    return Layout.get(bytes, at);
  }

  private String text(int text) throws IOException {
    int at = Layout.textAt(text);
    long length = word(at);
    check(
        length >= 0 && length <= Layout.TEXT_BYTES - Layout.WORD,
        "wrong length of a name in the header: ",
        length);
    return new String(bytes, at + Layout.WORD, (int) length, StandardCharsets.UTF_8);
  }

  /** Returns the bytes of the header, for a copy. */
  byte[] bytes() {
    return bytes;
  }

  private static void check(boolean isRight, String wrong, long value) throws StatsFileException {
    if (!isRight) {
      throw new StatsFileException(wrong.endsWith(" ") ? wrong + value : wrong);
    }
  }
}
