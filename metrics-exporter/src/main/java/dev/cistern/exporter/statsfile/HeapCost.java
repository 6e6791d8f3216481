/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

/**
 * Bytes of heap that a row of a table takes once it is read, about: the objects that are made of
 * it. Rows with few columns are small in a file, and just as large here.
 */
final class HeapCost {
  static final int REFERENCE_BYTES = 4;

  /** Beside its characters. */
  static final int STRING_BYTES = 48;

  /** A column's place in a map, and its type. */
  static final int COLUMN_BYTES = 64;

  static final int POOL = 512;
  static final int ARENA = 200;
  static final int SIZE_CLASS = 64;
  static final int ALLOCATOR = 64;
  static final int NETTY_ALLOCATOR = 1_024;
  static final int NETTY_ARENA = 40;
  static final int TREND = 64;
  static final int LEAK = 256;
  static final int ACCESS = 72;
  static final int LIVE_STACK = 300;

  /** Without its frames. */
  static final int STACK = 40;

  /** The list of its frames, without the references in it. */
  static final int STACK_WITH_FRAMES = 80;

  /** A reference to its text, and one to its caller. */
  static final int FRAME = 2 * REFERENCE_BYTES;

  private HeapCost() {}
}
