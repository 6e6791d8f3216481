/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import dev.cistern.leak.report.LeakEntry;
import java.util.List;
import java.util.function.Consumer;

/**
 * A writer of one line for each new entry to the application's log, up to a limit in each minute.
 */
final class LeakLog {
  static final int MAX_LINES_PER_MINUTE = 10;

  private static final long MINUTE_MILLIS = 60_000;
  private static final int MAX_FRAMES_IN_LINE = 4;

  private final Consumer<String> errorLine;

  // Guarded by this object's lock.
  private long windowStartMillis = Long.MIN_VALUE;

  private int linesInWindow;
  private long withheld;

  LeakLog(Consumer<String> errorLine) {
    this.errorLine = errorLine;
  }

  void newEntry(String pool, LeakEntry entry, long nowMillis) {
    String line = admit(pool, entry, nowMillis);
    if (line.isEmpty()) {
      return;
    }
    try {
      errorLine.accept(line);
    } catch (RuntimeException | LinkageError e) {
      // the application's log failed: the entry is in the store
    }
  }

  private synchronized String admit(String pool, LeakEntry entry, long nowMillis) {
    if (windowStartMillis == Long.MIN_VALUE
        || nowMillis - windowStartMillis >= MINUTE_MILLIS
        || nowMillis < windowStartMillis) {
      windowStartMillis = nowMillis;
      linesInWindow = 0;
    }
    if (linesInWindow >= MAX_LINES_PER_MINUTE) {
      withheld++;
      return "";
    }
    linesInWindow++;
    String line = line(pool, entry);
    if (withheld > 0) {
      line += " (" + withheld + " other new leak stacks were not logged)";
      withheld = 0;
    }
    return line;
  }

  private static String line(String pool, LeakEntry entry) {
    List<String> frames = entry.stack().frames();
    List<String> stack = frames.subList(entry.stack().folded(), frames.size());
    int shown = Math.min(MAX_FRAMES_IN_LINE, stack.size());
    return "LEAK: a "
        + entry.memory()
        + " buffer of pool "
        + pool
        + " was garbage collected without a release; allocated at "
        + entry.site()
        + " by thread \""
        + plain(entry.latest().thread())
        + "\", representing "
        + entry.bytes()
        + " bytes; stack: "
        + String.join(" < ", stack.subList(0, shown))
        + (stack.size() + entry.stack().cutFrames() > shown ? " < ..." : "")
        + ". Further leaks of this stack are only counted.";
  }

  /** Returns a name with control characters replaced, which could forge lines of the log. */
  private static String plain(String name) {
    StringBuilder plain = new StringBuilder(name.length());
    name.codePoints().forEach(c -> plain.appendCodePoint(Character.isISOControl(c) ? '?' : c));
    return plain.toString();
  }
}
