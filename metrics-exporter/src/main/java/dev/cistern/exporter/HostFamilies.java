/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import dev.cistern.leak.report.Age;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.stats.AllocatorInfo;
import dev.cistern.stats.NettyReport;
import dev.cistern.stats.PoolSnapshot;
import io.prometheus.metrics.model.snapshots.Exemplar;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/**
 * What one host adds to a scrape, within its budget of series.
 *
 * <p>When there are more copies than the budget has room for, each keeps its core figures, as long
 * as there is room for those; the further ones are for the copies that were found first. What was
 * left out is counted. Sites come last: those without series of their own are part of {@code
 * other}, and so not lost.
 */
final class HostFamilies {
  /** What every copy shows, however many there are. */
  private static final Set<Metric> CORE =
      EnumSet.of(
          Metric.NETTY_COPY_INFO,
          Metric.SERVED_ALLOCATIONS,
          Metric.FALLBACK_ALLOCATIONS,
          Metric.BRIDGE_FAILURES,
          Metric.RESERVED_BYTES,
          Metric.PINNED_BYTES,
          Metric.CACHED_BYTES,
          Metric.FREE_BYTES,
          Metric.LIMIT_BYTES,
          Metric.LIMIT_USED_BYTES);

  private static final double MILLIS_PER_SECOND = 1e3;

  /** Allocators of a copy with series of their own. */
  private static final int MAX_ALLOCATORS = 20;

  private final ExporterOptions options;
  private final KnownLabels labels;
  private final SiteNames siteNames;
  private final LiveSiteNames liveSiteNames = new LiveSiteNames();

  /** Series that scrapes left out. Written by any scraping thread. */
  private final LongAdder dropped = new LongAdder();

  HostFamilies(HostIdentity host, ExporterOptions options) {
    this.options = options;
    this.labels = new KnownLabels(2 * options.seriesAtMost(), host.id(), host.application());
    this.siteNames = new SiteNames(options.leakSites());
  }

  /** Adds all series of a host that runs, or what is left to say of one that does not. */
  void addTo(Families all, HostState state, SiteStyle style) {
    addTo(all, state, state.isUp(), style);
  }

  /** Adds all series that a host has last had. */
  void addLastTo(Families all, HostState state) {
    addTo(all, state, true, SiteStyle.NAMES);
  }

  private void addTo(Families all, HostState state, boolean whole, SiteStyle style) {
    Families own = new Families(labels);
    addHost(own, state);
    List<CopyReport> copies = state.report().copies();
    if (whole) {
      addCopies(own, copies, style);
    } else {
      // Its memory is gone with it; the leaks are what somebody will ask for.
      addLeakSites(own, diagnosed(copies), style);
    }
    own.add(Metric.SERIES_DROPPED, dropped.sum());
    all.addAll(own);
  }

  private static void addHost(Families to, HostState state) {
    HostReport report = state.report();
    HostIdentity host = report.host();
    to.add(Metric.HOST_UP, state.isUp() ? 1 : 0);
    to.add(Metric.HOST_EXITED_CLEANLY, state.state() == HostState.State.EXITED ? 1 : 0);
    to.add(Metric.HOST_HEARTBEAT_SECONDS, state.heartbeatMillis() / MILLIS_PER_SECOND);
    to.addInfo(Metric.BUILD_INFO, host.version());
    to.addInfo(Metric.HOST_INFO, host.pod(), host.container(), Long.toString(host.pid()));
    to.add(Metric.START_TIME_SECONDS, host.startMillis() / MILLIS_PER_SECOND);
    to.add(Metric.AGENT_FAILURES, report.failures());
    to.add(Metric.CONTROL_REFUSALS, report.controlRefusals());
    addStatsFile(to, report.statsFile());
  }

  private static void addStatsFile(Families to, StatsFileReport file) {
    to.add(Metric.STATS_FILE_WRITES, file.writes());
    to.add(Metric.STATS_FILE_FAILURES, file.failures());
    to.add(Metric.STATS_FILE_ROWS_DROPPED, file.rowsDropped());
  }

  private void addCopies(Families to, List<CopyReport> copies, SiteStyle style) {
    // Leak sites never have to give way, since a counter must not go back; and one is for the
    // series that tells what was dropped.
    int taken =
        SeriesBudget.SERIES_OF_EXPORTER
            + to.size()
            + 1
            + options.leakSites() * SeriesBudget.SERIES_OF_LEAK_SITE;
    List<CopyReport> shown = new ArrayList<>();
    List<Families> parts = new ArrayList<>();
    for (CopyReport copy : copies) {
      Families part = fixed(to, copy);
      int core = part.size(CORE) + rests(copy);
      if (taken + core <= options.seriesAtMost()) {
        taken += core;
        shown.add(copy);
        parts.add(part);
      } else {
        dropped.add(part.size() + rests(copy));
      }
    }
    taken = addParts(to, parts, taken);
    taken += addDetail(to, shown, taken);
    List<CopyReport> diagnosed = diagnosed(shown);
    addLeakSites(to, diagnosed, style);
    addLiveSites(to, diagnosed, taken, style);
  }

  /** Adds all of a copy's series while they fit, and then only the core ones. */
  private int addParts(Families to, List<Families> parts, int takenBefore) {
    int taken = takenBefore;
    for (Families part : parts) {
      int more = part.size() - part.size(CORE);
      boolean fits = taken + more <= options.seriesAtMost();
      if (fits) {
        taken += more;
      } else {
        dropped.add(more);
      }
      to.addAll(fits ? part : part.only(CORE));
    }
    return taken;
  }

  private static List<CopyReport> diagnosed(List<CopyReport> copies) {
    return copies.stream().filter(Headline::hasDiagnostics).toList();
  }

  /** The series of the rest of the sites, of each kind of memory. */
  private static int rests(CopyReport copy) {
    return Headline.hasDiagnostics(copy)
        ? LiveSites.memories(copy).size()
            * (SeriesBudget.SERIES_OF_LEAK_SITE + SeriesBudget.SERIES_OF_LIVE_SITE)
        : 0;
  }

  /** All that a copy always shows: everything but its sites. */
  private Families fixed(Families like, CopyReport copy) {
    Families to = like.empty();
    String pool = copy.pool();
    if (!copy.mode().equals(CopyReport.LIBRARY)) {
      to.addInfo(Metric.NETTY_COPY_INFO, pool, copy.version(), copy.mode());
      to.addInfo(Metric.MODE_INFO, pool, copy.mode(), copy.modeChange().source());
      addInventory(to, copy.netty(), pool);
      to.add(Metric.SERVED_ALLOCATIONS, copy.served(), pool);
      to.add(Metric.FALLBACK_ALLOCATIONS, copy.fellBack(), pool);
      to.add(Metric.BRIDGE_FAILURES, copy.failures(), pool);
    }
    if (Headline.hasDiagnostics(copy)) {
      addDetector(to, copy.leaks(), copy.live(), pool);
      addLive(to, copy, pool);
    }
    boolean isObserved = !copy.netty().allocators().isEmpty();
    if (isObserved) {
      new NettyFamilies(copy.netty(), pool).addTo(to, copy.pools());
    }
    for (PoolSnapshot snapshot : copy.pools()) {
      PoolFamilies.addTo(to, snapshot, pool, !isObserved);
    }
    return to;
  }

  private void addInventory(Families to, NettyReport netty, String pool) {
    List<AllocatorInfo> all = netty.inventory();
    int shown = Math.min(MAX_ALLOCATORS, all.size());
    for (AllocatorInfo each : all.subList(0, shown)) {
      to.addInfo(
          Metric.ALLOCATOR_INFO, pool, each.name(), each.type(), each.createdBy(), each.service());
    }
    dropped.add(all.size() - shown);
    if (shown > 0 || !netty.allocators().isEmpty()) {
      to.add(Metric.NETTY_ALLOCATORS_DROPPED, netty.dropped(), pool);
    }
  }

  private static void addDetector(Families to, LeakReport leaks, LiveReport live, String pool) {
    to.add(Metric.LEAK_TRACKERS, leaks.watched(), pool);
    to.add(Metric.LEAK_SAMPLES_UNTRACKED, leaks.notWatched(), pool);
    to.add(Metric.LEAK_RECORDS_DROPPED, leaks.dropped(), pool);
    to.add(Metric.LEAK_SAMPLES_WITHOUT_STACK, leaks.withoutStack(), pool);
    to.add(Metric.LEAK_WATCH_FAILURES, leaks.failures(), pool);
    to.add(Metric.LIVE_TRENDS_DROPPED, live.trendsDropped(), pool);
  }

  private static void addLive(Families to, CopyReport copy, String pool) {
    LiveReport live = copy.live();
    for (String memory : LiveSites.memories(copy)) {
      to.add(Metric.LIVE_ERROR_BYTES, live.total(memory).bytesError(), pool, memory);
      to.add(Metric.LIVE_LOST_BYTES, LiveSites.lostBytes(live, memory), pool, memory);
      to.add(Metric.SUSPECT_SITES, LiveSites.suspects(live, memory), pool, memory);
    }
  }

  /** Adds the figures of arenas and size classes that were asked for, by pool, while they fit. */
  private int addDetail(Families to, List<CopyReport> copies, int taken) {
    int added = 0;
    for (CopyReport copy : copies) {
      for (PoolSnapshot snapshot : copy.pools()) {
        Families part = to.empty();
        DetailFamilies.addTo(part, snapshot, copy.pool(), options.detail());
        if (taken + added + part.size() <= options.seriesAtMost()) {
          to.addAll(part);
          added += part.size();
        } else {
          dropped.add(part.size());
        }
      }
    }
    return added;
  }

  private void addLeakSites(Families to, List<CopyReport> copies, SiteStyle style) {
    siteNames
        .choose(copies)
        .forEach(
            (pool, series) -> {
              for (SiteNames.Series site : SiteNames.styled(series, style::of)) {
                Exemplar latest = site.latest().exemplar();
                double leaks = (double) site.leaks();
                to.add(Metric.LEAKS, leaks, latest, pool, site.memory(), site.site());
                to.add(Metric.LEAKED_BYTES, site.bytes(), pool, site.memory(), site.site());
              }
            });
  }

  /**
   * @param taken series that are there or kept for others, leak sites among them
   */
  private void addLiveSites(Families to, List<CopyReport> copies, int taken, SiteStyle style) {
    int free = options.seriesAtMost() - taken;
    int limit = Math.max(0, Math.min(options.liveSites(), free / SeriesBudget.SERIES_OF_LIVE_SITE));
    liveSiteNames
        .choose(copies, limit)
        .forEach(
            (pool, series) ->
                LiveSiteNames.styled(series, style::of)
                    .forEach(site -> addLiveSite(to, pool, site)));
  }

  private static void addLiveSite(Families to, String pool, LiveSiteNames.Series site) {
    for (Age age : Age.values()) {
      double bytes = site.live().bytes(age);
      to.add(Metric.LIVE_BYTES, bytes, pool, site.memory(), site.site(), Metric.label(age));
    }
    to.add(Metric.LIVE_BUFFERS, site.live().buffers(), pool, site.memory(), site.site());
  }
}
