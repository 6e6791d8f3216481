/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak.report;

import java.util.List;

/**
 * A leaked buffer, with all known details.
 *
 * @param memory the kind of memory, {@code direct} or {@code heap}
 * @param kind the kind of buffer: {@code pooled}, {@code unpooled} or {@code composite}
 * @param requestedBytes the requested bytes
 * @param slotBytes the size class of the slot in bytes; 0 if there is none
 * @param thread the name of the thread that allocated the buffer
 * @param allocatedMillis time of the allocation, in milliseconds since the epoch
 * @param ageMillis age at which the leak was found, in milliseconds
 * @param stack the stack of the allocation
 * @param accesses the last accesses, newest first; none below the advanced level
 * @param accessesDropped number of earlier accesses
 * @param counts the last calls of {@code retain} and {@code release}, newest first; none below the
 *     advanced level
 * @param countsDropped number of earlier such calls
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

  /**
   * Returns the text for a leak listener, in lines. Leaks that differ only in numbers have the same
   * text.
   */
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
