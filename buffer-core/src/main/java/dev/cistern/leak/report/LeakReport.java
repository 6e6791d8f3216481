/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * An immutable copy of the leaks that a detector has found so far. Each leak is counted once, in
 * {@code entries} or in {@code others}.
 *
 * @param level the level in force: {@code disabled}, {@code simple}, {@code advanced} or {@code
 *     paranoid}
 * @param entries leaks by allocation stack. An entry without frames has the leaks of its site whose
 *     stacks were not kept. So the entries of a site add up to all its leaks since it was kept
 * @param others for each kind of memory, the leaks of the sites that were not kept. The latest of
 *     these leaks has its site, and no frames
 * @param ranked the sites with the most leaked bytes, by place; for readers that name a few sites
 * @param watched number of buffers that are tracked now: allocated and not yet released
 * @param notWatched number of samples that were not tracked, because too many were tracked already
 * @param withoutStack number of samples whose stack was not kept, because too many stacks were
 *     waiting
 * @param failures number of failures of leak detection, in Cistern or in a hint of the application
 */
public record LeakReport(
    String level,
    List<LeakEntry> entries,
    List<LeakEntry> others,
    List<RankedLeaks> ranked,
    long watched,
    long notWatched,
    long withoutStack,
    long failures) {
  /** Number of sites in {@link #ranked()}, which is the maximum that a reader can name. */
  public static final int PLACES = 32;

  /** The report without samples. */
  public static final LeakReport EMPTY =
      new LeakReport("disabled", List.of(), List.of(), List.of(), 0, 0, 0, 0);

  /** Copies the lists. */
  public LeakReport {
    entries = List.copyOf(entries);
    others = List.copyOf(others);
    ranked = List.copyOf(ranked);
  }

  /** Returns the sums of all leaks for each kind of memory that leaked, in the order of names. */
  public List<LeakTotal> totals() {
    Map<String, LeakTotal> totals = new TreeMap<>();
    entries.forEach(entry -> add(totals, entry));
    others.forEach(entry -> add(totals, entry));
    return new ArrayList<>(totals.values());
  }

  private static void add(Map<String, LeakTotal> totals, LeakEntry entry) {
    String memory = entry.memory();
    LeakTotal total = totals.get(memory);
    totals.put(memory, (total != null ? total : new LeakTotal(memory, 0, 0, 0)).plus(entry));
  }

  /** Returns the number of tracked buffers that leaked. */
  public long found() {
    return entries.stream().mapToLong(LeakEntry::found).sum() + foundOfOthers();
  }

  /** Returns the number of tracked buffers that leaked at sites that were not kept. */
  public long foundOfOthers() {
    return others.stream().mapToLong(LeakEntry::found).sum();
  }
}
