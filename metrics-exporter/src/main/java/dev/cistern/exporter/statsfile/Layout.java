/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Field offsets in the stats file. All fields are little endian, aligned to {@link #WORD} bytes.
 */
final class Layout {
  static final int WORD = 8;

  /** The bytes {@code CISTERN} and a newline. */
  static final long MAGIC = 0x0a4e_5245_5453_4943L;

  /** The bytes {@code READY!} and two newlines, written after the rest of the header. */
  static final long READY = 0x0a0a_2159_4441_4552L;

  /**
   * The version that is written. Readers accept the previous and the next version, too: both have
   * this layout, and reports in which fields may be missing or unknown.
   */
  static final long VERSION = 4;

  static final int HEADER_BYTES = 4_096;

  static final int MAGIC_AT = 0;
  static final int VERSION_AT = 8;
  static final int HEADER_BYTES_AT = 16;
  static final int FILE_BYTES_AT = 24;
  static final int HOST_ID_AT = 32;
  static final int PID_AT = 40;
  static final int START_MILLIS_AT = 48;
  static final int HEARTBEAT_MILLIS_AT = 56;
  static final int INTERVAL_MILLIS_AT = 64;
  static final int EXIT_AT = 72;
  static final int FLAGS_AT = 80;
  static final int DIED_MILLIS_AT = 88;
  static final int SLOTS_AT = 96;
  static final int SLOTS = 2;
  static final int SLOT_BYTES = 16;
  static final int TEXTS_AT = 128;

  /** Size of a text in the header: its length, and its bytes. */
  static final int TEXT_BYTES = 512;

  /** Texts in the header: application, version, pod, container. */
  static final int TEXTS = 4;

  /** Offset of the number of failed reports, which is written although there is no report. */
  static final int FAILURES_AT = TEXTS_AT + TEXTS * TEXT_BYTES;

  static final long EXITED_CLEANLY = 1;

  /** Offset of the history; its value is 0 if there is none. */
  static final int HISTORY_PLACE_AT = FAILURES_AT + WORD;

  static final int HISTORY_LENGTH_AT = HISTORY_PLACE_AT + WORD;

  /** The slots follow the history, which follows the header. */
  static final int FIRST_SLOT_AT = HEADER_BYTES + HistoryRing.BYTES;

  /** Flag: the writer holds a lock on the file while it runs. */
  static final long LOCK_FLAG = 1;

  /** Flag: the file is a copy of the writer's file. */
  static final long COPY_FLAG = 2;

  /** Flag of a copy: the original was torn. */
  static final long TORN_FLAG = 4;

  /** Offset of the ready mark: the last word of the header. */
  static final int READY_AT = HEADER_BYTES - WORD;

  static final int SEQUENCE_AT = 0;
  static final int CHECKSUM_AT = 8;
  static final int LENGTH_AT = 16;
  static final int TIME_MILLIS_AT = 24;
  static final int FRAME_HEADER_BYTES = 32;

  /** Maximum size of a file. Readers refuse a larger one. */
  static final int MAX_FILE_BYTES = 4 << 20;

  /**
   * Offset of the byte that the writer locks, beyond the longest file, so that the lock never
   * blocks a read.
   */
  static final long LOCK_AT = 1L << 40;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Layout() {}

  static long get(byte[] bytes, int at) {
    return (long) LONGS.get(bytes, at);
  }

  static void put(byte[] bytes, int at, long value) {
    LONGS.set(bytes, at, value);
  }

  static int slotAt(int slot) {
    return SLOTS_AT + slot * SLOT_BYTES;
  }

  static int textAt(int text) {
    return TEXTS_AT + text * TEXT_BYTES;
  }
}
