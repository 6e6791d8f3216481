/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import dev.cistern.leak.Age;
import dev.cistern.leak.LeakReport;
import dev.cistern.leak.LiveReport;
import dev.cistern.stats.Band;
import dev.cistern.stats.PoolFigure;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.SizeGroup;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricFamilyDescriptor;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of a host for the Prometheus client library: one report is asked for each scrape, so
 * that all families of a scrape show the same moment.
 *
 * <p>A source that fails does not fail the scrape: it shows {@code cistern_up} 0 and counts the
 * error.
 */
public final class CisternCollector implements MultiCollector {
  /** Leak sites with series of their own by default. */
  public static final int DEFAULT_LEAK_SITES = 10;

  /** Most leak sites that can have series of their own. */
  public static final int MAX_LEAK_SITES = SeriesBudget.MAX_LEAK_SITES;

  /** Live sites with series of their own by default. */
  public static final int DEFAULT_LIVE_SITES = 20;

  /** Most live sites that can have series of their own. */
  public static final int MAX_LIVE_SITES = SeriesBudget.MAX_LIVE_SITES;

  private static final int SERIES_OF_SCRAPE = 3;
  private static final double MILLIS_PER_SECOND = 1e3;
  private static final double NANOS_PER_SECOND = 1e9;

  private final StatsSource source;
  private final int leakSites;
  private final int liveSites;
  private final @Nullable DiagnosticsDump dump;
  private final SiteNames siteNames;
  private final LiveSiteNames liveSiteNames = new LiveSiteNames();

  /** Written by any scraping thread. */
  private final LongAdder errors = new LongAdder();

  /** Shows what {@code source} reports, with the default numbers of sites. */
  public CisternCollector(StatsSource source) {
    this(source, DEFAULT_LEAK_SITES, DEFAULT_LIVE_SITES);
  }

  /**
   * @param source what to show
   * @param leakSites leak sites that get series of their own, over all pools of the host; the rest
   *     is counted as {@code other}
   * @param liveSites live sites that get series of their own, over all pools of the host; fewer in
   *     a host with more than one pool, so that all its series stay within the budget of 300
   * @throws IllegalArgumentException if one of them is negative, or so large that a host with one
   *     pool could break that budget
   */
  public CisternCollector(StatsSource source, int leakSites, int liveSites) {
    this(source, leakSites, liveSites, null);
  }

  CisternCollector(
      StatsSource source, int leakSites, int liveSites, @Nullable DiagnosticsDump dump) {
    SeriesBudget.check("leakSites", leakSites, MAX_LEAK_SITES);
    SeriesBudget.check("liveSites", liveSites, MAX_LIVE_SITES);
    this.source = source;
    this.leakSites = leakSites;
    this.liveSites = liveSites;
    this.dump = dump;
    this.siteNames = new SiteNames(leakSites);
  }

  @Override
  public MetricSnapshots collect() {
    Families families = new Families();
    long start = System.nanoTime();
    try {
      HostReport report = source.report();
      double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
      Families all = new Families();
      addHost(all, report);
      addCopies(all, report.copies());
      addScrape(all, 1, seconds);
      families = all;
    } catch (RuntimeException | LinkageError e) {
      // Half a report would break the promise of one moment: show only that there is none.
      errors.increment();
      addScrape(families, 0, (System.nanoTime() - start) / NANOS_PER_SECOND);
    }
    return families.build();
  }

  /** Returns the number of scrapes so far in which the source failed. */
  public long errors() {
    return errors.sum();
  }

  @Override
  public List<MetricFamilyDescriptor> getMetricFamilyDescriptors() {
    return Arrays.stream(Metric.values()).map(Metric::descriptor).toList();
  }

  private void addScrape(Families to, int up, double seconds) {
    to.add(Metric.UP, up);
    to.add(Metric.SCRAPE_DURATION_SECONDS, seconds);
    to.add(Metric.SCRAPE_ERRORS, errors.sum());
  }

  private void addHost(Families to, HostReport report) {
    to.addInfo(Metric.BUILD_INFO, report.host().version());
    to.addInfo(Metric.HOST_INFO, report.application());
    to.add(Metric.START_TIME_SECONDS, report.host().startMillis() / MILLIS_PER_SECOND);
    to.add(Metric.AGENT_FAILURES, report.failures());
    to.add(Metric.DUMPS, dump == null ? 0 : dump.written());
    to.add(Metric.DUMP_FAILURES, dump == null ? 0 : dump.failures());
    to.add(Metric.DUMPS_SKIPPED, dump == null ? 0 : dump.skipped());
  }

  private void addCopies(Families to, List<CopyReport> copies) {
    for (CopyReport copy : copies) {
      String pool = copy.pool();
      if (!copy.mode().equals(CopyReport.LIBRARY)) {
        to.addInfo(Metric.NETTY_COPY_INFO, pool, copy.version(), copy.mode());
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
        if (!isObserved) {
          addShared(to, snapshot, pool, snapshot.memory());
        }
        addMemory(to, snapshot, pool, snapshot.memory());
        addTraffic(to, snapshot, pool, snapshot.memory());
        addThreadCaches(to, snapshot, pool, snapshot.memory());
        addChunks(to, snapshot, pool, snapshot.memory());
      }
    }
    List<CopyReport> diagnosed = copies.stream().filter(Headline::hasDiagnostics).toList();
    int shownLiveSites = SeriesBudget.liveSites(liveSites, leakSites, fixedSeries(to, diagnosed));
    addLeakSites(to, diagnosed);
    addLiveSites(to, diagnosed, shownLiveSites);
  }

  /** What there is, what a scrape tells of itself, and the rest of the sites of each memory. */
  private static int fixedSeries(Families shown, List<CopyReport> diagnosed) {
    int rests = diagnosed.stream().mapToInt(copy -> LiveSites.memories(copy).size()).sum();
    return shown.size()
        + SERIES_OF_SCRAPE
        + rests * (SeriesBudget.SERIES_OF_LEAK_SITE + SeriesBudget.SERIES_OF_LIVE_SITE);
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

  private void addLeakSites(Families to, List<CopyReport> copies) {
    siteNames
        .choose(copies)
        .forEach(
            (pool, series) -> {
              for (SiteNames.Series site : series) {
                to.add(Metric.LEAKS, site.leaks(), pool, site.memory(), site.site());
                to.add(Metric.LEAKED_BYTES, site.bytes(), pool, site.memory(), site.site());
              }
            });
  }

  private void addLiveSites(Families to, List<CopyReport> copies, int limit) {
    liveSiteNames
        .choose(copies, limit)
        .forEach(
            (pool, series) -> {
              for (LiveSiteNames.Series site : series) {
                addLiveSite(to, pool, site);
              }
            });
  }

  private static void addLiveSite(Families to, String pool, LiveSiteNames.Series site) {
    for (Age age : Age.values()) {
      double bytes = site.live().bytes(age);
      to.add(Metric.LIVE_BYTES, bytes, pool, site.memory(), site.site(), Metric.label(age));
    }
    to.add(Metric.LIVE_BUFFERS, site.live().buffers(), pool, site.memory(), site.site());
  }

  /** What allocators of Netty's own have, too: {@link NettyFamilies} adds the sums of both. */
  private static void addShared(Families to, PoolSnapshot from, String pool, String memory) {
    to.add(Metric.RESERVED_BYTES, from.reservedBytes(), pool, memory);
    to.add(Metric.PINNED_BYTES, from.pinnedBytes(), pool, memory);
    to.add(Metric.CACHED_BYTES, from.cachedBytes(), pool, memory);
    to.add(Metric.FREE_BYTES, from.freeBytes(), pool, memory);
    to.add(Metric.HUGE_RESERVED_BYTES, from.hugeReservedBytes(), pool, memory);
    to.add(Metric.HUGE_PINNED_BYTES, from.hugePinnedBytes(), pool, memory);
    to.add(Metric.THREAD_CACHES, from.threadCaches(), pool, memory);
    to.add(Metric.ARENAS, from.arenas(), pool, memory);
    for (Band band : Band.values()) {
      to.add(Metric.CHUNKS, from.chunks(band), pool, memory, band.label());
    }
  }

  private static void addMemory(Families to, PoolSnapshot from, String pool, String memory) {
    if (from.limitBytes() != Long.MAX_VALUE) {
      to.add(Metric.LIMIT_BYTES, from.limitBytes(), pool, memory);
    }
    to.add(Metric.LIMIT_USED_BYTES, from.usedBytes(), pool, memory);
    to.add(Metric.HUGE_CACHED_BYTES, from.hugeCachedBytes(), pool, memory);
  }

  private static void addTraffic(Families to, PoolSnapshot from, String pool, String memory) {
    for (SizeGroup group : SizeGroup.values()) {
      to.add(Metric.ALLOCATIONS, from.allocations(group), pool, memory, group.label());
      to.add(Metric.DEALLOCATIONS, from.deallocations(group), pool, memory, group.label());
    }
    to.add(Metric.FAILED_ALLOCATIONS, from.failedAllocations(), pool, memory);
    to.add(Metric.REQUESTED_BYTES, from.requestedBytesTotal(), pool, memory);
    to.add(Metric.ROUNDED_BYTES, from.roundedBytesTotal(), pool, memory);
    to.add(Metric.LEAK_SAMPLES, from.get(PoolFigure.SAMPLES), pool, memory);
    long interval = from.get(PoolFigure.SAMPLE_INTERVAL_BYTES);
    to.add(Metric.SAMPLE_INTERVAL_BYTES, interval, pool, memory);
    long largest = from.get(PoolFigure.LARGEST_SAMPLE_INTERVAL_BYTES);
    to.add(Metric.LARGEST_SAMPLE_INTERVAL_BYTES, largest, pool, memory);
    to.add(Metric.LEAK_SAMPLES_FAILED, from.get(PoolFigure.FAILED_SAMPLES), pool, memory);
  }

  private static void addThreadCaches(Families to, PoolSnapshot from, String pool, String memory) {
    to.add(Metric.THREAD_CACHE_REQUESTS, from.threadCacheRequests(), pool, memory);
    to.add(Metric.THREAD_CACHE_HITS, from.threadCacheHits(), pool, memory);
    to.add(Metric.THREAD_CACHE_MISSES, from.threadCacheMisses(), pool, memory);
    to.add(Metric.THREAD_CACHE_REFILLS, from.threadCacheRefills(), pool, memory);
    to.add(Metric.THREAD_CACHE_TRIMS, from.threadCacheTrims(), pool, memory);
    long revoked = from.get(PoolFigure.THREAD_CACHES_REVOKED);
    to.add(Metric.THREAD_CACHES_REVOKED, revoked, pool, memory);
    long givenUp = from.get(PoolFigure.THREAD_CACHES_GIVEN_UP);
    to.add(Metric.THREAD_CACHES_GIVEN_UP, givenUp, pool, memory);
    to.add(Metric.SHARED_CACHE_WAITS, from.get(PoolFigure.SHARED_CACHE_WAITS), pool, memory);
    to.add(Metric.REMOTE_RELEASES, from.remoteReleases(), pool, memory);
  }

  private static void addChunks(Families to, PoolSnapshot from, String pool, String memory) {
    to.add(Metric.ARENA_LOCK_WAITS, from.lockWaits(), pool, memory);
    to.add(Metric.CHUNK_SIZE_BYTES, from.chunkBytes(), pool, memory);
    to.add(Metric.CHUNK_ALLOCATIONS, from.chunkAllocations(), pool, memory);
    to.add(Metric.CHUNK_DEALLOCATIONS, from.chunkDeallocations(), pool, memory);
    to.add(Metric.SUBPAGES, from.subpages(), pool, memory);
    to.add(Metric.ORPHANED_SUBPAGES, from.get(PoolFigure.ORPHANED_SUBPAGES), pool, memory);
    to.add(Metric.ORPHAN_ADOPTIONS, from.get(PoolFigure.ORPHAN_ADOPTIONS), pool, memory);
  }
}
