/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.HostView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** Stats files as bytes, and changes that damage them. */
final class Images {
  private Images() {}

  /** Returns a file with a frame for each of these reports, or for the last two of them. */
  static byte[] of(Path directory, HostReport... reports) throws IOException {
    try (StatsFileWriter writer =
        StatsFileWriter.create(directory, reports[0].host(), StatsFileWriter.MAX_BYTES, 1_000)) {
      for (HostReport report : reports) {
        writer.write(HostView.of(report));
      }
      return Files.readAllBytes(writer.path());
    }
  }

  /** Returns the file without the history, and without the room that frames do not use. */
  static byte[] tight(byte[] file) {
    byte[] tight = file.clone();
    int end = Layout.HEADER_BYTES;
    for (int slot = 0; slot < Layout.SLOTS; slot++) {
      int from = slotAt(file, slot);
      int used = Layout.FRAME_HEADER_BYTES + (int) Layout.get(file, from + Layout.LENGTH_AT);
      int bytes = (used + Layout.WORD - 1) & -Layout.WORD;
      System.arraycopy(file, from, tight, end, bytes);
      put(tight, Layout.slotAt(slot), end);
      put(tight, Layout.slotAt(slot) + Layout.WORD, bytes);
      end += bytes;
    }
    put(tight, Layout.HISTORY_PLACE_AT, 0);
    put(tight, Layout.HISTORY_LENGTH_AT, 0);
    return resized(tight, end);
  }

  /** Returns the file with another length, and with this length in its header. */
  static byte[] resized(byte[] file, int bytes) {
    byte[] resized = Arrays.copyOf(file, bytes);
    put(resized, Layout.FILE_BYTES_AT, bytes);
    return resized;
  }

  static int slotAt(byte[] file, int slot) {
    return (int) Layout.get(file, Layout.slotAt(slot));
  }

  /** Returns the position of the content of a slot. */
  static int contentAt(byte[] file, int slot) {
    return slotAt(file, slot) + Layout.FRAME_HEADER_BYTES;
  }

  /** Returns the slot with the newer frame. */
  static int newest(byte[] file) {
    return sequence(file, 1) > sequence(file, 0) ? 1 : 0;
  }

  static long sequence(byte[] file, int slot) {
    return Layout.get(file, slotAt(file, slot) + Layout.SEQUENCE_AT);
  }

  static void put(byte[] file, int at, long value) {
    Layout.put(file, at, value);
  }

  /** Corrects the checksums of the slots that are inside the file. */
  static void seal(byte[] file) {
    for (int slot = 0; slot < Layout.SLOTS; slot++) {
      long at = Layout.get(file, Layout.slotAt(slot));
      if (at >= 0 && at <= file.length - Layout.FRAME_HEADER_BYTES) {
        long length = Layout.get(file, (int) at + Layout.LENGTH_AT);
        if (length >= 0 && length <= file.length - at - Layout.FRAME_HEADER_BYTES) {
          CRC32C checksum = new CRC32C();
          int summed = Layout.FRAME_HEADER_BYTES - Layout.LENGTH_AT + (int) length;
          checksum.update(file, (int) at + Layout.LENGTH_AT, summed);
          put(file, (int) at + Layout.CHECKSUM_AT, checksum.getValue());
        }
      }
    }
  }
}
