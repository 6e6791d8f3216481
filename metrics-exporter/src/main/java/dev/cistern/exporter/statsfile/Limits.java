/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

/** What no writer exceeds, so that a file that does is refused: each may become many series. */
final class Limits {
  static final int COPIES = 64;

  /** Of one copy and kind of memory. An agent sees 64, and what is left of those that are gone. */
  static final int NETTY_ALLOCATORS = 128;

  static final int ARENAS = 4_096;
  static final int SIZE_CLASSES = 1_024;

  /** Of any table with rows that become objects of some size: a frame of 2 MiB has fewer. */
  static final int ROWS = 65_536;

  /** Limit of the tables in a report. The writer has 15. */
  static final int TABLES = 64;

  /** Of a slot: half of the longest file, and no writer has a larger one. */
  static final int SLOT_BYTES = Layout.MAX_FILE_BYTES / Layout.SLOTS;

  /**
   * Heap that a report may take, as {@link HeapCost} reckons it, beside the frames of its stacks.
   * What writers write takes less than three times its bytes, and so less than 6 MiB.
   */
  static final int HEAP_BYTES = 8 << 20;

  /**
   * Frames of all stacks together that are kept: 4 MB of references. The full stores of a copy of
   * Netty have 650,000.
   */
  static final int FRAMES = 1_000_000;

  /** Characters of a text that becomes a label. */
  static final int LABEL_CHARS = 512;

  /** Characters of any text; what is longer is cut. */
  static final int TEXT_CHARS = 4_096;

  /** A character takes no more in UTF-8. */
  private static final int BYTES_PER_CHAR = 4;

  private Limits() {}

  /** Of a text of {@code length} bytes, those that are read. */
  static int textBytes(int length) {
    return Math.min(length, TEXT_CHARS * BYTES_PER_CHAR);
  }

  static String text(String whole) {
    return whole.length() > TEXT_CHARS ? whole.substring(0, TEXT_CHARS) : whole;
  }

  /** A label as it is written. */
  static String label(String whole) {
    return whole.length() > LABEL_CHARS ? whole.substring(0, LABEL_CHARS) : whole;
  }

  /** Refuses more than there may be. */
  static void check(long count, long most, String what) throws StatsFileException {
    if (count > most) {
      throw new StatsFileException(what + ": " + count + " (expected: " + most + " at most)");
    }
  }

  /** Refuses what {@code Set.add} has refused. */
  static void checkNew(boolean isNew, String what) throws StatsFileException {
    if (!isNew) {
      throw new StatsFileException("two " + what);
    }
  }
}
