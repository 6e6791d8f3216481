/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import dev.cistern.exporter.report.HostIdentity;
import java.nio.charset.StandardCharsets;

/** Creates headers. */
final class HeaderWriter {
  private static final int ID_DIGITS = 16;
  private static final int HEX = 16;

  private HeaderWriter() {}

  /** Returns the header without flags and ready mark. */
  static byte[] header(HostIdentity host, int fileBytes, long intervalMillis) {
    byte[] header = new byte[Layout.HEADER_BYTES];
    Layout.put(header, Layout.MAGIC_AT, Layout.MAGIC);
    Layout.put(header, Layout.VERSION_AT, Layout.VERSION);
    Layout.put(header, Layout.HEADER_BYTES_AT, Layout.HEADER_BYTES);
    Layout.put(header, Layout.FILE_BYTES_AT, fileBytes);
    Layout.put(header, Layout.HOST_ID_AT, idBits(host.id()));
    Layout.put(header, Layout.PID_AT, host.pid());
    Layout.put(header, Layout.START_MILLIS_AT, host.startMillis());
    Layout.put(header, Layout.HEARTBEAT_MILLIS_AT, System.currentTimeMillis());
    Layout.put(header, Layout.INTERVAL_MILLIS_AT, intervalMillis);
    Layout.put(header, Layout.HISTORY_PLACE_AT, Layout.HEADER_BYTES);
    Layout.put(header, Layout.HISTORY_LENGTH_AT, HistoryRing.BYTES);
    putSlots(header, MappedFile.slotBytes(fileBytes));
    putText(header, 0, host.application());
    putText(header, 1, host.version());
    putText(header, 2, host.pod());
    putText(header, 3, host.container());
    return header;
  }

  private static void putSlots(byte[] header, int slotBytes) {
    for (int slot = 0; slot < Layout.SLOTS; slot++) {
      int at = Layout.slotAt(slot);
      Layout.put(header, at, Layout.FIRST_SLOT_AT + (long) slot * slotBytes);
      Layout.put(header, at + Layout.WORD, slotBytes);
    }
  }

  private static long idBits(String id) {
    boolean isId = id.length() == ID_DIGITS;
    for (int i = 0; isId && i < ID_DIGITS; i++) {
      isId = "0123456789abcdef".indexOf(id.charAt(i)) >= 0;
    }
    if (!isId) {
      throw new IllegalArgumentException(
          "id: " + id + " (expected: 16 digits of 0 to 9 and a to f)");
    }
    return Long.parseUnsignedLong(id, HEX);
  }

  /** Writes a text. A text that is too long is cut between two characters. */
  private static void putText(byte[] header, int text, String value) {
    byte[] encoded = value.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(encoded.length, Layout.TEXT_BYTES - Layout.WORD);
    while (length < encoded.length && (encoded[length] & 0xc0) == 0x80) {
      length--;
    }
    Layout.put(header, Layout.textAt(text), length);
    System.arraycopy(encoded, 0, header, Layout.textAt(text) + Layout.WORD, length);
  }
}
