/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak.report;

import java.util.List;

/**
 * The leaks that a detector has found so far: an immutable copy.
 *
 * @param level the level in force: {@code disabled}, {@code simple}, {@code advanced} or {@code
 *     paranoid}
 * @param entries leaks by allocation stack, in the order in which their stacks were first seen
 * @param dropped watched leaks that found no place in the store
 * @param droppedBytes estimate of the bytes of the leaks that found no place
 * @param watched buffers that are watched now: allocated, not yet released
 * @param notWatched samples that were not watched because too many were already
 * @param withoutStack samples whose stack could not be kept, because too many were waiting
 * @param failures times that watching failed, inside or in a hint of others
 */
public record LeakReport(
    String level,
    List<LeakEntry> entries,
    long dropped,
    long droppedBytes,
    long watched,
    long notWatched,
    long withoutStack,
    long failures) {
  /** Nothing was seen. */
  public static final LeakReport EMPTY = new LeakReport("disabled", List.of(), 0, 0, 0, 0, 0, 0);

  /** Copies the entries. */
  public LeakReport {
    entries = List.copyOf(entries);
  }
}
