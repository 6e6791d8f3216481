/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Strings of a frame, each once. The first is the empty one. */
final class StringTable {
  private static final int FIRST_SLOTS = 1_024;

  /** Open addressing; at most half full. */
  private @Nullable String[] keys = new String[FIRST_SLOTS];

  private int[] ids = new int[FIRST_SLOTS];
  private int[] ends = new int[FIRST_SLOTS / 2];
  private byte[] bytes = new byte[FIRST_SLOTS * 16];
  private int count;
  private int byteCount;

  StringTable() {
    clear();
  }

  void clear() {
    Arrays.fill(keys, null);
    count = 0;
    byteCount = 0;
    int unused = id("");
  }

  /** The number of {@code text}, a new one if it was not there. */
  int id(String text) {
    int mask = keys.length - 1;
    int slot = spread(text.hashCode()) & mask;
    for (String key; (key = keys[slot]) != null; slot = (slot + 1) & mask) {
      if (key.equals(text)) {
        return ids[slot];
      }
    }
    keys[slot] = text;
    ids[slot] = count;
    append(text);
    if (2 * count > keys.length) {
      rehash();
    }
    return count - 1;
  }

  private static int spread(int hash) {
    return hash ^ (hash >>> 16);
  }

  private void append(String text) {
    int length = text.length();
    room(length);
    for (int i = 0; i < length; i++) {
      char letter = text.charAt(i);
      if (letter >= 0x80) {
        appendWide(text);
        return;
      }
      bytes[byteCount + i] = (byte) letter;
    }
    end(length);
  }

  private void appendWide(String text) {
    byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
    room(encoded.length);
    System.arraycopy(encoded, 0, bytes, byteCount, encoded.length);
    end(encoded.length);
  }

  private void room(int more) {
    if (bytes.length - byteCount < more) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, byteCount + more));
    }
  }

  private void end(int length) {
    byteCount += length;
    if (count == ends.length) {
      ends = Arrays.copyOf(ends, 2 * ends.length);
    }
    ends[count++] = byteCount;
  }

  private void rehash() {
    @Nullable String[] oldKeys = keys;
    int[] oldIds = ids;
    keys = new String[2 * oldKeys.length];
    ids = new int[keys.length];
    int mask = keys.length - 1;
    for (int i = 0; i < oldKeys.length; i++) {
      String key = oldKeys[i];
      if (key != null) {
        int slot = spread(key.hashCode()) & mask;
        while (keys[slot] != null) {
          slot = (slot + 1) & mask;
        }
        keys[slot] = key;
        ids[slot] = oldIds[i];
      }
    }
  }

  /** Bytes that {@link #writeTo} takes. */
  int encodedBytes() {
    return 2 * Layout.WORD + count * Layout.WORD + Layout.aligned(byteCount);
  }

  /** Writes number of strings, number of bytes, the end of each string, the bytes. */
  int writeTo(byte[] out, int at) {
    Layout.put(out, at, count);
    Layout.put(out, at + Layout.WORD, byteCount);
    int next = at + 2 * Layout.WORD;
    for (int i = 0; i < count; i++, next += Layout.WORD) {
      Layout.put(out, next, ends[i]);
    }
    System.arraycopy(bytes, 0, out, next, byteCount);
    int padded = Layout.aligned(byteCount);
    Arrays.fill(out, next + byteCount, next + padded, (byte) 0);
    return next + padded;
  }
}
