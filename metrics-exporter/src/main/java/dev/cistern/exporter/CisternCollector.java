/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import dev.cistern.leak.LeakReport;
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

/**
 * The metrics of a host for the Prometheus client library: one report is asked for each scrape, so
 * that all families of a scrape show the same moment.
 *
 * <p>A source that fails does not fail the scrape: it shows {@code cistern_up} 0 and counts the
 * error.
 */
public final class CisternCollector implements MultiCollector {
  /** Leak sites with a series of their own by default. */
  public static final int DEFAULT_LEAK_SITES = 20;

  private static final double MILLIS_PER_SECOND = 1e3;
  private static final double NANOS_PER_SECOND = 1e9;

  private final StatsSource source;
  private final SiteNames siteNames;

  /** Written by any scraping thread. */
  private final LongAdder errors = new LongAdder();

  /** Shows what {@code source} reports, with {@link #DEFAULT_LEAK_SITES} leak sites. */
  public CisternCollector(StatsSource source) {
    this(source, DEFAULT_LEAK_SITES);
  }

  /**
   * @param source what to show
   * @param leakSites leak sites that get a series of their own, over all pools of the host; the
   *     rest is counted as {@code other}
   * @throws IllegalArgumentException if {@code leakSites} is negative
   */
  public CisternCollector(StatsSource source, int leakSites) {
    if (leakSites < 0) {
      throw new IllegalArgumentException("leakSites: " + leakSites + " (expected: >= 0)");
    }
    this.source = source;
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

  private static void addHost(Families to, HostReport report) {
    to.addInfo(Metric.BUILD_INFO, report.agentVersion());
    to.addInfo(Metric.HOST_INFO, report.application());
    to.add(Metric.START_TIME_SECONDS, report.startMillis() / MILLIS_PER_SECOND);
    to.add(Metric.AGENT_FAILURES, report.failures());
  }

  private void addCopies(Families to, List<CopyReport> copies) {
    for (CopyReport copy : copies) {
      String pool = copy.pool();
      to.addInfo(Metric.NETTY_COPY_INFO, pool, copy.version(), copy.mode());
      to.add(Metric.SERVED_ALLOCATIONS, copy.served(), pool);
      to.add(Metric.FALLBACK_ALLOCATIONS, copy.fellBack(), pool);
      to.add(Metric.BRIDGE_FAILURES, copy.failures(), pool);
      LeakReport leaks = copy.leaks();
      to.add(Metric.LEAK_TRACKERS, leaks.trackers(), pool);
      to.add(Metric.LEAK_SAMPLES_UNTRACKED, leaks.untracked(), pool);
      to.add(Metric.LEAK_RECORDS_DROPPED, leaks.dropped(), pool);
      for (PoolSnapshot snapshot : copy.pools()) {
        addMemory(to, snapshot, pool, snapshot.memory());
        addTraffic(to, snapshot, pool, snapshot.memory());
        addThreadCaches(to, snapshot, pool, snapshot.memory());
        addChunks(to, snapshot, pool, snapshot.memory());
      }
    }
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

  private static void addMemory(Families to, PoolSnapshot from, String pool, String memory) {
    to.add(Metric.RESERVED_BYTES, from.reservedBytes(), pool, memory);
    to.add(Metric.PINNED_BYTES, from.pinnedBytes(), pool, memory);
    to.add(Metric.CACHED_BYTES, from.cachedBytes(), pool, memory);
    to.add(Metric.FREE_BYTES, from.freeBytes(), pool, memory);
    if (from.limitBytes() != Long.MAX_VALUE) {
      to.add(Metric.LIMIT_BYTES, from.limitBytes(), pool, memory);
    }
    to.add(Metric.LIMIT_USED_BYTES, from.usedBytes(), pool, memory);
    to.add(Metric.HUGE_RESERVED_BYTES, from.hugeReservedBytes(), pool, memory);
    to.add(Metric.HUGE_PINNED_BYTES, from.hugePinnedBytes(), pool, memory);
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
    to.add(Metric.LEAK_SAMPLES_FAILED, from.get(PoolFigure.FAILED_SAMPLES), pool, memory);
  }

  private static void addThreadCaches(Families to, PoolSnapshot from, String pool, String memory) {
    to.add(Metric.THREAD_CACHES, from.threadCaches(), pool, memory);
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
    to.add(Metric.ARENAS, from.arenas(), pool, memory);
    to.add(Metric.ARENA_LOCK_WAITS, from.lockWaits(), pool, memory);
    to.add(Metric.CHUNK_SIZE_BYTES, from.chunkBytes(), pool, memory);
    for (Band band : Band.values()) {
      to.add(Metric.CHUNKS, from.chunks(band), pool, memory, band.label());
    }
    to.add(Metric.CHUNK_ALLOCATIONS, from.chunkAllocations(), pool, memory);
    to.add(Metric.CHUNK_DEALLOCATIONS, from.chunkDeallocations(), pool, memory);
    to.add(Metric.SUBPAGES, from.subpages(), pool, memory);
    to.add(Metric.ORPHANED_SUBPAGES, from.get(PoolFigure.ORPHANED_SUBPAGES), pool, memory);
    to.add(Metric.ORPHAN_ADOPTIONS, from.get(PoolFigure.ORPHAN_ADOPTIONS), pool, memory);
  }
}
