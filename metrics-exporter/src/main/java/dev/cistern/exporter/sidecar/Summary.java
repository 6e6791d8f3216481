/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.sidecar;

import dev.cistern.exporter.CopyReport;
import dev.cistern.exporter.HostReport;
import dev.cistern.exporter.HostState;
import dev.cistern.leak.CallStack;
import dev.cistern.leak.LeakEntry;
import dev.cistern.leak.LeakRecord;
import dev.cistern.leak.LeakReport;
import dev.cistern.leak.LiveReport;
import dev.cistern.leak.SiteTrend;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What scrapes still show of a host that is gone: its leaks by site. Everything else is on disk, so
 * that many of them take little memory.
 */
final class Summary {
  private Summary() {}

  static HostState of(HostState whole) {
    HostReport report = whole.report();
    List<CopyReport> copies =
        report.copies().stream().filter(Summary::canLeak).map(Summary::of).toList();
    return new HostState(
        new HostReport(
            report.host(), report.timeMillis(), report.failures(), copies, report.statsFile()),
        whole.state(),
        whole.heartbeatMillis());
  }

  /** The allocators of the library have their leaks in one report of its own. */
  private static boolean canLeak(CopyReport copy) {
    return !copy.mode().equals(CopyReport.LIBRARY) || copy.pools().isEmpty();
  }

  private static CopyReport of(CopyReport copy) {
    return new CopyReport(
        copy.pool(),
        copy.version(),
        copy.mode(),
        "",
        List.of(),
        copy.served(),
        copy.fellBack(),
        copy.failures(),
        of(copy.leaks()),
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

  private static LeakReport of(LeakReport leaks) {
    return new LeakReport(
        leaks.level(),
        leaks.entries().stream().map(Summary::of).toList(),
        leaks.dropped(),
        leaks.droppedBytes(),
        leaks.watched(),
        leaks.notWatched(),
        leaks.withoutStack(),
        leaks.failures());
  }

  private static LeakEntry of(LeakEntry entry) {
    LeakRecord latest = entry.latest();
    return new LeakEntry(
        entry.found(),
        entry.buffers(),
        entry.bytes(),
        entry.firstSeenMillis(),
        entry.lastSeenMillis(),
        new LeakRecord(
            latest.memory(),
            latest.kind(),
            latest.requestedBytes(),
            latest.slotBytes(),
            latest.thread(),
            latest.allocatedMillis(),
            latest.ageMillis(),
            new CallStack(entry.site(), List.of(), 0, 0),
            List.of(),
            latest.accessesDropped(),
            List.of(),
            latest.countsDropped()));
  }
}
