/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cistern.leak.report.CallStack;
import dev.cistern.leak.report.LeakEntry;
import dev.cistern.leak.report.LeakRecord;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of the log line of a leak. */
@Tag("E4")
class LeakLogTest {
  private final List<String> lines = new ArrayList<>();
  private final LeakLog log = new LeakLog(lines::add);

  private static LeakEntry entry(String... stack) {
    return entryOf("worker", stack);
  }

  private static LeakEntry entryOf(String thread, String... stack) {
    int folded = List.of(stack).indexOf("a.B.c(B.java:1)");
    CallStack frames = new CallStack("a.B.c:1", List.of(stack), Math.max(0, folded), 0);
    return new LeakEntry(
        1,
        8,
        512,
        1,
        1,
        new LeakRecord(
            "direct", "pooled", 64, 64, thread, 0, 1, frames, List.of(), 0, List.of(), 0));
  }

  @Test
  void aThreadsNameCannotMakeALineOfItsOwn() {
    log.newEntry("io.netty", entryOf("x\nERROR all is lost", "a.B.c(B.java:1)"), 0);
    assertTrue(lines.get(0).contains("x?ERROR all is lost"), lines::toString);
  }

  @Test
  void aLineNamesPoolSiteThreadAndStack() {
    log.newEntry("io.netty", entry("a.B.c(B.java:1)", "a.B.d(B.java:2)"), 0);
    assertEquals(
        List.of(
            "LEAK: a direct buffer of pool io.netty was garbage collected without a release;"
                + " allocated at a.B.c:1 by thread \"worker\", representing 512 bytes;"
                + " stack: a.B.c(B.java:1) < a.B.d(B.java:2)."
                + " Further leaks of this stack are only counted."),
        lines);
  }

  @Test
  void theStackOfALineBeginsAtTheSite() {
    log.newEntry(
        "io.netty", entry("io.netty.X.y(X.java:9)", "a.B.c(B.java:1)", "a.B.d(B.java:2)"), 0);
    assertTrue(
        lines.get(0).contains("; stack: a.B.c(B.java:1) < a.B.d(B.java:2)."), lines::toString);
  }

  @Test
  void aFloodIsWithheldAndCounted() {
    for (int i = 0; i < 25; i++) {
      log.newEntry("io.netty", entry("a.B.c(B.java:1)"), 1_000 + i);
    }
    assertEquals(LeakLog.MAX_LINES_PER_MINUTE, lines.size());
    log.newEntry("io.netty", entry("a.B.c(B.java:1)"), 61_000);
    assertEquals(LeakLog.MAX_LINES_PER_MINUTE + 1, lines.size());
    assertTrue(lines.get(10).endsWith("(15 other new leak stacks were not logged)"));
  }

  @Test
  void aClockThatRunsBackwardsDoesNotSuppressTheLog() {
    for (int i = 0; i < 11; i++) {
      log.newEntry("io.netty", entry("a.B.c(B.java:1)"), 1_000_000);
    }
    log.newEntry("io.netty", entry("a.B.c(B.java:1)"), 5);
    assertEquals(LeakLog.MAX_LINES_PER_MINUTE + 1, lines.size());
  }
}
