/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import dev.cistern.leak.report.CallStack;
import java.util.ArrayList;
import java.util.List;

/** Reads the stacks of a frame, each once. */
final class StackDecoder {
  /** Frames of all stacks together, for each byte of the content: no writer has more. */
  private static final int MAX_FRAMES_PER_BYTE = 2;

  private final String[] frames;

  /** References to callers; each is to an earlier row, so that no stack has a loop. */
  private final int[] callers;

  private final CallStack[] stacks;
  private final boolean withFrames;
  private long framesLeft;

  /** Of those, what is kept. */
  private int keptLeft = Limits.FRAMES;

  /**
   * @param withFrames whether the frames are wanted; else stacks have their site only, which takes
   *     a fraction of the time
   */
  StackDecoder(Content content, boolean withFrames) throws StatsFileException {
    this.withFrames = withFrames;
    framesLeft = (long) MAX_FRAMES_PER_BYTE * content.byteCount();
    Table frameTable = content.charged("frames", withFrames ? HeapCost.FRAME : 0);
    frames = new String[withFrames ? frameTable.rows() : 0];
    callers = new int[frames.length];
    while (withFrames && frameTable.next()) {
      int row = frameTable.row();
      frames[row] = frameTable.text("text");
      callers[row] = frameTable.integer("caller", 0, row);
    }
    Table stackTable =
        content.charged("stacks", withFrames ? HeapCost.STACK_WITH_FRAMES : HeapCost.STACK);
    stacks = new CallStack[stackTable.rows()];
    while (stackTable.next()) {
      stacks[stackTable.row()] = stack(stackTable);
    }
  }

  private CallStack stack(Table from) throws StatsFileException {
    if (!withFrames) {
      return new CallStack(from.text("site"), List.of(), 0, 0);
    }
    List<String> lines = new ArrayList<>();
    int frame = from.integer("frame", 0, frames.length);
    for (; frame > 0; frame = callers[frame - 1]) {
      lines.add(frames[frame - 1]);
      if (lines.size() > CallStack.MAX_FRAMES || --framesLeft < 0) {
        throw new StatsFileException("too many frames in stacks");
      }
    }
    int folded = from.integer("folded", 0, lines.size());
    int cut = from.integer("cut_frames", 0, Integer.MAX_VALUE);
    if (lines.size() > keptLeft) {
      long allCut = (long) cut + lines.size();
      int most = (int) Math.min(allCut, Integer.MAX_VALUE);
      return new CallStack(from.text("site"), List.of(), 0, most);
    }
    keptLeft -= lines.size();
    return new CallStack(from.text("site"), lines, folded, cut);
  }

  /** The stack to which the column {@code stack} refers. */
  CallStack stack(Table from, String column) throws StatsFileException {
    int reference = from.integer(column, 0, stacks.length);
    return reference == 0 ? CallStack.NONE : stacks[reference - 1];
  }
}
