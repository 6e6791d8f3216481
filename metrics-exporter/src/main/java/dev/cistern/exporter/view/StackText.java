/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.view;

import dev.cistern.exporter.report.TextFormat;
import dev.cistern.leak.report.CallStack;
import java.util.List;

/**
 * Stacks as text for a terminal. One line summarizes the frames before the site, because they are
 * similar in all stacks.
 */
final class StackText {
  /** Number of frames from the site on that are shown without {@code ?full=true}. */
  private static final int SHOWN_FRAMES = 16;

  /** Number of such frames of an access, because there are many accesses. */
  private static final int SHOWN_ACCESS_FRAMES = 3;

  private final StringBuilder text;
  private final boolean full;

  StackText(StringBuilder text, ReportOptions options) {
    this.text = text;
    this.full = options.full();
  }

  void append(String indent, CallStack stack) {
    append(indent, stack, SHOWN_FRAMES);
  }

  /** Appends the stack of an access, which is limited to the frames of its origin. */
  void appendAccess(String indent, CallStack stack) {
    append(indent, stack, SHOWN_ACCESS_FRAMES);
  }

  private void append(String indent, CallStack stack, int limit) {
    List<String> frames = stack.frames();
    if (frames.isEmpty()) {
      text.append(indent).append("(no stack was kept)\n");
      return;
    }
    int first = full ? 0 : Math.min(Math.max(stack.folded(), 0), frames.size() - 1);
    int end = full ? frames.size() : Math.min(frames.size(), first + limit);
    boolean isShort = !full && limit == SHOWN_ACCESS_FRAMES;
    if (first > 0 && !isShort) {
      text.append(indent).append("... ").append(TextFormat.count(first, "frame"));
      text.append(" of Netty, the JDK and Cistern (?full=true shows ");
      text.append(first == 1 ? "it" : "them").append(")\n");
    }
    for (String frame : frames.subList(first, end)) {
      text.append(indent).append("at ").append(TextFormat.plain(frame)).append('\n');
    }
    if (!isShort) {
      appendRest(indent, frames.size() - end, stack.cutFrames());
    }
  }

  private void appendRest(String indent, int hidden, int cut) {
    if (hidden > 0) {
      text.append(indent)
          .append("... ")
          .append(TextFormat.count(hidden))
          .append(" more (?full=true)\n");
    }
    if (cut > 0) {
      text.append(indent).append("... ").append(TextFormat.count(cut, "outer frame"));
      text.append(cut == 1 ? " was not kept\n" : " were not kept\n");
    }
  }
}
