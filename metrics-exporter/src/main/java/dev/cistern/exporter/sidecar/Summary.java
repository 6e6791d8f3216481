/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.sidecar;

import dev.cistern.exporter.CopyReport;
import dev.cistern.exporter.FirstLeaks;
import dev.cistern.exporter.HostReport;
import dev.cistern.exporter.HostState;
import dev.cistern.leak.report.LeakEntry;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.SiteTrend;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What scrapes still show of a host that is gone: its leaks by site. Everything else is on disk, so
 * that many of them take little memory.
 */
final class Summary {
  /** Sites that stay what they are: far more than can have series. */
  static final int MOST_SITES = 64;

  private static final int COPY_BYTES = 512;
  private static final int LEAK_BYTES = 256;
  private static final int BYTES_PER_CHAR = 2;

  private Summary() {}

  static HostState of(HostState whole) {
    HostReport report = whole.report();
    List<CopyReport> copies = report.copies().stream().filter(Summary::canLeak).toList();
    List<List<LeakEntry>> leaks = FirstLeaks.of(copies, MOST_SITES);
    List<CopyReport> summaries = new ArrayList<>();
    for (int i = 0; i < copies.size(); i++) {
      summaries.add(of(copies.get(i), leaks.get(i)));
    }
    return new HostState(
        new HostReport(
            report.host(), report.timeMillis(), report.failures(), summaries, report.statsFile()),
        whole.state(),
        whole.heartbeatMillis());
  }

  /** Who it is, where there is no room for more; what counts something does not go back. */
  static HostReport bare(HostReport whole) {
    return new HostReport(
        whole.host(), whole.timeMillis(), whole.failures(), List.of(), whole.statsFile());
  }

  /** Bytes of heap that a summary takes, about. */
  static long heapBytes(HostState summary) {
    long bytes = COPY_BYTES;
    for (CopyReport copy : summary.report().copies()) {
      long characters =
          (long) copy.pool().length()
              + copy.version().length()
              + copy.mode().length()
              + copy.leaks().level().length();
      bytes += COPY_BYTES + BYTES_PER_CHAR * characters;
      for (LeakEntry leak : copy.leaks().entries()) {
        bytes += LEAK_BYTES + (long) BYTES_PER_CHAR * leak.site().length();
      }
    }
    return bytes;
  }

  /** The allocators of the library have their leaks in one report of its own. */
  private static boolean canLeak(CopyReport copy) {
    return !copy.mode().equals(CopyReport.LIBRARY) || copy.pools().isEmpty();
  }

  private static CopyReport of(CopyReport copy, List<LeakEntry> leaks) {
    return new CopyReport(
        copy.pool(),
        copy.version(),
        copy.mode(),
        "",
        List.of(),
        copy.served(),
        copy.fellBack(),
        copy.failures(),
        of(copy.leaks(), leaks),
        kindsOfMemory(copy));
  }

  /** Nothing is live any more; that there were such kinds keeps the series of their leaks. */
  private static LiveReport kindsOfMemory(CopyReport copy) {
    Set<String> memories = new TreeSet<>();
    copy.pools().forEach(pool -> memories.add(pool.memory()));
    copy.netty().allocators().forEach(part -> memories.add(part.memory()));
    copy.live().stacks().forEach(stack -> memories.add(stack.memory()));
    copy.live().trends().forEach(trend -> memories.add(trend.memory()));
    List<SiteTrend> kinds =
        memories.stream().map(memory -> new SiteTrend(memory, "", 0, 0, 0)).toList();
    return new LiveReport(0, 0, List.of(), kinds, 0);
  }

  private static LeakReport of(LeakReport leaks, List<LeakEntry> entries) {
    return new LeakReport(
        leaks.level(),
        entries,
        leaks.dropped(),
        leaks.droppedBytes(),
        leaks.watched(),
        leaks.notWatched(),
        leaks.withoutStack(),
        leaks.failures());
  }
}
