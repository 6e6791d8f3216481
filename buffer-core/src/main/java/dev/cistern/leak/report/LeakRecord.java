/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak.report;

import java.util.List;

/**
 * One buffer that leaked, with all that is known of it.
 *
 * @param memory the kind of memory, {@code direct} or {@code heap}
 * @param kind what it was: {@code pooled}, {@code unpooled} or {@code composite}
 * @param requestedBytes bytes that were asked for
 * @param slotBytes the size class that served them, in bytes; 0 where there is none
 * @param thread the name of the thread that allocated it
 * @param allocatedMillis when, milliseconds since the epoch
 * @param ageMillis how old it was when it was found
 * @param stack where it was allocated
 * @param accesses its last uses, newest first; none below the advanced level
 * @param accessesDropped uses before these
 * @param counts its last calls of {@code retain} and {@code release}, newest first; none below the
 *     advanced level
 * @param countsDropped such calls before these
 */
public record LeakRecord(
    String memory,
    String kind,
    long requestedBytes,
    long slotBytes,
    String thread,
    long allocatedMillis,
    long ageMillis,
    CallStack stack,
    List<LeakAccess> accesses,
    long accessesDropped,
    List<LeakAccess> counts,
    long countsDropped) {
  /** Copies the lists. */
  public LeakRecord {
    accesses = List.copyOf(accesses);
    counts = List.copyOf(counts);
  }

  /** It as lines, as a leak listener gets it: alike for leaks that differ in numbers only. */
  public String toText() {
    StringBuilder text = new StringBuilder();
    append(text, "Access", accesses, accessesDropped);
    append(text, "Count change", counts, countsDropped);
    text.append("Created: a ").append(kind).append(' ').append(memory).append(" buffer\n");
    stack.frames().forEach(frame -> text.append("\tat ").append(frame).append('\n'));
    return text.toString();
  }

  private static void append(
      StringBuilder text, String title, List<LeakAccess> accesses, long dropped) {
    int number = 0;
    for (LeakAccess access : accesses) {
      text.append(title).append(" #").append(++number).append(", counted from the last: ");
      text.append(access.operation()).append('\n');
      if (!access.hint().isEmpty()) {
        text.append("\thint: ").append(access.hint()).append('\n');
      }
      access.stack().frames().forEach(f -> text.append("\tat ").append(f).append('\n'));
    }
    if (dropped > 0) {
      text.append("Earlier ones are not shown\n");
    }
  }
}
