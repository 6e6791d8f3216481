/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import dev.cistern.leak.report.CallStack;
import java.util.Arrays;
import java.util.List;

/**
 * The stacks of a frame: each is a row that names its innermost frame, and each frame names its
 * caller, so that what stacks have in common stands there once. References count rows from 1; 0 is
 * none.
 */
final class StackTables {
  private final StringTable strings;
  private final TableWriter stacks;
  private final TableWriter frames;
  private final RowIndex stackRows = new RowIndex();
  private final RowIndex frameRows = new RowIndex();

  StackTables(StringTable strings, TableWriter stacks, TableWriter frames) {
    this.strings = strings;
    this.stacks = stacks;
    this.frames = frames;
  }

  void clear() {
    stackRows.clear();
    frameRows.clear();
  }

  /** The reference to {@code stack}: its row, counted from 1. */
  int reference(CallStack stack) {
    return reference(stack, stack.frames(), stack.folded(), stack.cutFrames());
  }

  /** The reference to a stack of which only the site is kept. */
  int referenceToSite(CallStack stack) {
    return reference(stack, List.of(), 0, (long) stack.cutFrames() + stack.frames().size());
  }

  private int reference(CallStack stack, List<String> all, int folded, long cut) {
    int kept = Math.min(all.size(), CallStack.MAX_FRAMES);
    int frame = 0;
    for (int i = kept - 1; i >= 0; i--) {
      frame = frame(all.get(i), frame);
    }
    int foldedFrames = Math.min(folded, kept);
    int cutFrames = (int) Math.min(cut + all.size() - kept, Integer.MAX_VALUE);
    long key = pair(strings.id(stack.site()), frame);
    long shape = pair(foldedFrames, cutFrames);
    int known = stackRows.find(key, shape);
    if (known > 0) {
      return known;
    }
    stacks
        .row()
        .text("site", stack.site())
        .number("frame", frame)
        .number("folded", foldedFrames)
        .number("cut_frames", cutFrames);
    stackRows.add(key, shape, stacks.rows());
    return stacks.rows();
  }

  /** Two numbers that are not negative. */
  private static long pair(int high, int low) {
    return ((long) high << Integer.SIZE) | low;
  }

  private int frame(String text, int caller) {
    long key = pair(strings.id(text), caller);
    int known = frameRows.find(key, 0);
    if (known > 0) {
      return known;
    }
    frames.row().text("text", text).number("caller", caller);
    frameRows.add(key, 0, frames.rows());
    return frames.rows();
  }

  /** References by two words, alike in no two of them: open addressing, at most half full. */
  private static final class RowIndex {
    private static final int FIRST_SLOTS = 1_024;

    private long[] keys = new long[FIRST_SLOTS];
    private long[] shapes = new long[FIRST_SLOTS];
    private int[] rows = new int[FIRST_SLOTS];
    private int count;

    void clear() {
      Arrays.fill(rows, 0);
      count = 0;
    }

    /** 0 if there is none. */
    int find(long key, long shape) {
      return rows[slot(key, shape)];
    }

    void add(long key, long shape, int row) {
      if (2 * ++count > rows.length) {
        rehash();
      }
      int slot = slot(key, shape);
      keys[slot] = key;
      shapes[slot] = shape;
      rows[slot] = row;
    }

    private int slot(long key, long shape) {
      long mixed = (key ^ shape * 31) * 0x9e37_79b9_7f4a_7c15L;
      int mask = rows.length - 1;
      int slot = (int) (mixed >>> 32) & mask;
      while (rows[slot] > 0 && (keys[slot] != key || shapes[slot] != shape)) {
        slot = (slot + 1) & mask;
      }
      return slot;
    }

    private void rehash() {
      long[] oldKeys = keys;
      long[] oldShapes = shapes;
      int[] oldRows = rows;
      keys = new long[2 * oldKeys.length];
      shapes = new long[keys.length];
      rows = new int[keys.length];
      for (int i = 0; i < oldRows.length; i++) {
        if (oldRows[i] > 0) {
          int slot = slot(oldKeys[i], oldShapes[i]);
          keys[slot] = oldKeys[i];
          shapes[slot] = oldShapes[i];
          rows[slot] = oldRows[i];
        }
      }
    }
  }
}
