/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.metrics;

import dev.cistern.exporter.report.CopyFigures;
import dev.cistern.exporter.report.CopyView;
import dev.cistern.exporter.report.HostFigures;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.SiteFigures;
import dev.cistern.exporter.report.SiteFigures.HoldingSite;
import dev.cistern.exporter.report.SiteFigures.LeakedSite;
import dev.cistern.exporter.schema.Detail;
import dev.cistern.exporter.schema.Row;
import dev.cistern.exporter.schema.Scope;
import dev.cistern.leak.report.Age;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The series of one process, within its limit.
 *
 * <p>Core figures of each copy have priority, while there is room for them. The other default
 * figures follow, then the figures on request. Sites are last: those without their own series are
 * part of {@code other}.
 */
public final class HostSeries {
  private static final Set<Detail> CORE = Set.of(Detail.CORE);

  /** Maximum number of series of a process if detail was requested. */
  private static final int MAX_DETAIL_SERIES = 5_000;

  /** Maximum number of series of all processes together if detail was requested. */
  private static final int MAX_ALL_DETAIL_SERIES = 50_000;

  private final SeriesOptions options;

  /** Number of leak sites per pool that have their own series. It never grows. */
  private final AtomicInteger leakSites;

  private final LiveSiteSelector liveSiteSelector = new LiveSiteSelector();

  public HostSeries(SeriesOptions options) {
    this.options = options;
    leakSites = new AtomicInteger(options.leakSites());
  }

  /**
   * Adds all series of a running process, or the remaining series of an ended process.
   *
   * @param reserved number of series within the limit that are already used, such as those of the
   *     exporter in the process
   * @param processes number of running processes, which share the limit of detail
   * @return number of series that were left out
   */
  int addTo(MetricFamilies to, HostView host, Set<Detail> details, int reserved, int processes) {
    MetricFamilies.Path path = addHost(to, host, details);
    if (host.isUp()) {
      List<Row> ofProcess = ofProcess(host, details);
      ofProcess.forEach(row -> to.add(path, row, details));
      int detail = Math.min(MAX_DETAIL_SERIES, MAX_ALL_DETAIL_SERIES / processes);
      int taken =
          reserved + ofProcess.stream().mapToInt(row -> MetricFamilies.count(row, details)).sum();
      return addCopies(to, path, host.copies(), details, taken, detail);
    }
    // The memory of an ended process is free, but its leaks are still of interest.
    addLeakSites(to, path, host.copies());
    return 0;
  }

  /** Adds all last series of a process. */
  public void addLastTo(MetricFamilies to, HostView host) {
    MetricFamilies.Path path = addHost(to, host, Detail.ALL);
    ofProcess(host, Detail.ALL).forEach(row -> to.add(path, row, Detail.ALL));
    int unused = addCopies(to, path, host.copies(), Detail.ALL, 0, MAX_DETAIL_SERIES);
  }

  private static MetricFamilies.Path addHost(
      MetricFamilies to, HostView host, Set<Detail> details) {
    to.addOnly(MetricFamilies.Path.TOP, host.row(), details, null);
    return to.below(MetricFamilies.Path.TOP, host.row());
  }

  /**
   * Returns the rows of the process itself with figures of these details: parts of its memory,
   * findings and limits. Their scopes limit the number of rows.
   */
  private static List<Row> ofProcess(HostView host, Set<Detail> details) {
    List<Row> rows = new ArrayList<>();
    for (Scope<?> scope : HostFigures.HOST.children()) {
      if (scope != CopyFigures.COPY && scope.has(details)) {
        List<Row> all = host.row().rows(scope);
        rows.addAll(all.subList(0, Math.min(scope.seriesLimit(), all.size())));
      }
    }
    return rows;
  }

  private int addCopies(
      MetricFamilies to,
      MetricFamilies.Path path,
      List<CopyView> copies,
      Set<Detail> details,
      int reserved,
      int detailLimit) {
    int limit = options.seriesLimit();
    int taken = reserved + HostFigures.HOST.figures().size();
    int dropped = 0;
    List<CopyView> shown = new ArrayList<>();
    for (CopyView copy : copies) {
      int core = MetricFamilies.count(copy.row(), CORE) + otherSeries(copy);
      if (taken + core <= limit) {
        taken += core;
        dropped += MetricFamilies.countLeftOut(copy.row(), details);
        shown.add(copy);
      } else {
        dropped += MetricFamilies.count(copy.row(), details);
      }
    }
    taken += diagnosed(shown).size() * leakSites(shown) * leakSeries(); // never left out
    List<Set<Detail>> chosen = new ArrayList<>();
    shown.forEach(copy -> chosen.add(EnumSet.of(Detail.CORE)));
    int liveSites = 0;
    for (Detail detail : EnumSet.complementOf(EnumSet.of(Detail.CORE))) {
      int max = detail == Detail.NORMAL ? limit : Math.max(limit, detailLimit);
      for (int i = 0; i < shown.size() && details.contains(detail); i++) {
        int more = MetricFamilies.count(shown.get(i).row(), Set.of(detail));
        if (taken + more <= max) {
          taken += more;
          chosen.get(i).add(detail);
        } else {
          dropped += more;
        }
      }
      if (detail == Detail.NORMAL) { // figures on request leave room for sites
        int room = Math.max(0, limit - taken) / liveSeries(CORE);
        liveSites = Math.min(options.liveSites(), room);
        taken += (liveSites + otherSeries(shown)) * liveSeries(details);
      }
    }
    for (int i = 0; i < shown.size(); i++) {
      to.add(path, shown.get(i).row(), chosen.get(i));
    }
    addLeakSites(to, path, shown);
    addLiveSites(to, path, shown, details, liveSites);
    return dropped;
  }

  private static int otherSeries(List<CopyView> copies) {
    return diagnosed(copies).stream().mapToInt(copy -> copy.memories().size()).sum();
  }

  /** Returns the number of series for the sites without their own series. */
  private static int otherSeries(CopyView copy) {
    return copy.isDiagnosed() ? copy.memories().size() * (leakSeries() + liveSeries(CORE)) : 0;
  }

  private static int leakSeries() {
    return SiteFigures.LEAK_SITE.figures().size();
  }

  /**
   * Returns the number of leak sites of each pool that have their own series, because the pools
   * share them. The number never grows: a site that leaves {@code other} would make that counter
   * decrease.
   */
  private int leakSites(List<CopyView> copies) {
    int pools = Math.max(1, diagnosed(copies).size());
    return leakSites.accumulateAndGet((options.leakSites() + pools - 1) / pools, Math::min);
  }

  /**
   * Returns the number of series of a live site: its bytes by age, and the number of buffers on
   * request.
   */
  private static int liveSeries(Set<Detail> details) {
    return Age.values().length + (details.contains(Detail.INTERNALS) ? 1 : 0);
  }

  private void addLeakSites(MetricFamilies to, MetricFamilies.Path path, List<CopyView> copies) {
    int leakSites = leakSites(copies);
    for (CopyView copy : diagnosed(copies)) {
      MetricFamilies.Path below = to.below(path, copy.row()).withoutTime();
      for (LeakSiteSelector.Series site : LeakSiteSelector.of(copy, leakSites)) {
        LeakedSite leaked = new LeakedSite(site.memory(), site.site(), site.leaks(), site.bytes());
        Row row = SiteFigures.LEAK_SITE.read(leaked);
        to.addOnly(below, row, CORE, site.latest().exemplar());
      }
    }
  }

  private void addLiveSites(
      MetricFamilies to,
      MetricFamilies.Path path,
      List<CopyView> copies,
      Set<Detail> details,
      int sites) {
    liveSiteSelector
        .choose(diagnosed(copies), sites)
        .forEach(
            (copy, series) -> {
              MetricFamilies.Path below = to.below(path, copy.row());
              for (HoldingSite site : series) {
                to.add(below, SiteFigures.LIVE_SITE.read(site), details);
              }
            });
  }

  private static List<CopyView> diagnosed(List<CopyView> copies) {
    return copies.stream().filter(CopyView::isDiagnosed).toList();
  }
}
