/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.sidecar;

import dev.cistern.exporter.report.CopyView;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.schema.Row;
import dev.cistern.leak.report.CallStack;
import dev.cistern.leak.report.LeakEntry;
import dev.cistern.leak.report.LeakRecord;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.RankedLeaks;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Summary of a process that has ended: its leaks, and the sums of its pools. All other data is on
 * disk, so that many summaries take little memory.
 */
final class EndedHostSummary {
  private static final int HOST_BYTES = 1_024;
  private static final int COPY_BYTES = 3_072;
  private static final int LEAK_BYTES = 512;
  private static final int RANKED_BYTES = 64;
  private static final int BYTES_PER_CHAR = 2;

  private EndedHostSummary() {}

  static HostView of(HostView whole) {
    List<CopyView> copies = whole.copies().stream().map(EndedHostSummary::of).toList();
    List<Row> rows = copies.stream().map(CopyView::row).toList();
    return new HostView(whole.row().withOnly(rows), copies);
  }

  private static CopyView of(CopyView copy) {
    List<Row> pools = copy.pools().stream().map(pool -> pool.withOnly(List.of())).toList();
    return new CopyView(copy.row().withOnly(pools), of(copy.leaks()), LiveReport.EMPTY);
  }

  /**
   * Returns only the figures of the process itself, for use if there is too little heap for more.
   */
  static HostView bare(HostView whole) {
    return new HostView(whole.row().withOnly(List.of()), List.of());
  }

  /** Returns the approximate heap of a summary in bytes. */
  static long heapBytes(HostView summary) {
    long bytes = HOST_BYTES;
    for (CopyView copy : summary.copies()) {
      bytes += COPY_BYTES;
      for (LeakEntry leak : copy.leaks().entries()) {
        bytes += LEAK_BYTES + (long) BYTES_PER_CHAR * leak.site().length();
      }
      bytes += LEAK_BYTES * (long) copy.leaks().others().size();
      for (RankedLeaks leaks : copy.leaks().ranked()) {
        bytes += RANKED_BYTES + (long) BYTES_PER_CHAR * leaks.site().length();
      }
    }
    return bytes;
  }

  /**
   * Returns the leaks without stacks. Ranked sites stay; all other sites become part of the
   * remainder.
   */
  private static LeakReport of(LeakReport leaks) {
    Set<List<String>> named = new HashSet<>();
    leaks.ranked().forEach(ranked -> named.add(List.of(ranked.memory(), ranked.site())));
    Map<List<String>, LeakEntry> sites = new LinkedHashMap<>();
    Map<String, LeakEntry> others = new LinkedHashMap<>();
    for (LeakEntry entry : leaks.entries()) {
      List<String> site = List.of(entry.memory(), entry.site());
      if (named.contains(site)) {
        sites.merge(site, bare(entry), LeakEntry::plus);
      } else {
        others.merge(entry.memory(), bare(entry), LeakEntry::plus);
      }
    }
    for (LeakEntry entry : leaks.others()) {
      others.merge(entry.memory(), bare(entry), LeakEntry::plus);
    }
    return new LeakReport(
        leaks.level(),
        List.copyOf(sites.values()),
        List.copyOf(others.values()),
        leaks.ranked(),
        leaks.watched(),
        leaks.notWatched(),
        leaks.withoutStack(),
        leaks.failures());
  }

  /**
   * Returns the latest leak of an entry as the example for a series: its site, its bytes and its
   * time.
   */
  private static LeakEntry bare(LeakEntry entry) {
    LeakRecord latest = entry.latest();
    return new LeakEntry(
        entry.found(),
        entry.buffers(),
        entry.bytes(),
        entry.firstSeenMillis(),
        entry.lastSeenMillis(),
        new LeakRecord(
            latest.memory(),
            "",
            latest.requestedBytes(),
            latest.slotBytes(),
            "",
            latest.allocatedMillis(),
            latest.ageMillis(),
            new CallStack(entry.site(), List.of(), 0, 0),
            List.of(),
            0,
            List.of(),
            0));
  }
}
