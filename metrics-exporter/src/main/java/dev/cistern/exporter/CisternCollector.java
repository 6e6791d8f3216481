/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricFamilyDescriptor;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of a host, or of several, for the Prometheus client library: all hosts are asked once
 * for each scrape, so that all families of a scrape show the same moment.
 *
 * <p>Each series of a host carries its {@code host_id} and its {@code application}. A source that
 * fails does not fail the scrape: it shows {@code cistern_up} 0 and counts the error.
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

  private static final double NANOS_PER_SECOND = 1e9;

  private final Hosts hosts;
  private final ExporterOptions options;

  /** What the exporter tells of itself, beside the hosts. */
  private final Families.Part own;

  /** By host id: what must not change from scrape to scrape. Changed by any scraping thread. */
  private final Map<String, HostFamilies> families = new ConcurrentHashMap<>();

  /** Written by any scraping thread. */
  private final LongAdder errors = new LongAdder();

  /** Shows what {@code source} reports, with {@link ExporterOptions#DEFAULT}. */
  public CisternCollector(StatsSource source) {
    this(source, ExporterOptions.DEFAULT);
  }

  /** Shows what {@code source} reports. */
  public CisternCollector(StatsSource source, ExporterOptions options) {
    this(Hosts.of(source), options, to -> {});
  }

  /** Shows what several hosts report. */
  public static CisternCollector ofHosts(Hosts hosts, ExporterOptions options) {
    return new CisternCollector(hosts, options, to -> {});
  }

  CisternCollector(Hosts hosts, ExporterOptions options, Families.Part own) {
    this.hosts = hosts;
    this.options = options;
    this.own = own;
  }

  @Override
  public MetricSnapshots collect() {
    return collect(SiteStyle.NAMES);
  }

  /** As {@link #collect()}, for whoever may know no more of sites than {@code style} tells. */
  MetricSnapshots collect(SiteStyle style) {
    Families all = new Families();
    long start = System.nanoTime();
    try {
      List<HostState> states = hosts.all();
      double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
      states.forEach(state -> of(state).addTo(all, state, style));
      forgetAllBut(states);
      addOwn(all);
      addScrape(all, 1, seconds);
      return all.build();
    } catch (RuntimeException | LinkageError e) {
      // Half a report would break the promise of one moment: show only that there is none.
      errors.increment();
      Families none = new Families();
      addScrape(none, 0, (System.nanoTime() - start) / NANOS_PER_SECOND);
      return none.build();
    }
  }

  private HostFamilies of(HostState state) {
    HostIdentity host = state.report().host();
    return families.computeIfAbsent(host.id(), id -> new HostFamilies(host, options));
  }

  private void forgetAllBut(List<HostState> states) {
    if (families.size() > states.size()) {
      Set<String> ids = new HashSet<>();
      states.forEach(state -> ids.add(state.report().host().id()));
      families.keySet().retainAll(ids);
    }
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

  private void addOwn(Families to) {
    @Nullable DiagnosticsDump dump = options.dump();
    to.add(Metric.DUMPS, dump == null ? 0 : dump.written());
    to.add(Metric.DUMP_FAILURES, dump == null ? 0 : dump.failures());
    to.add(Metric.DUMPS_SKIPPED, dump == null ? 0 : dump.skipped());
    own.addTo(to);
  }
}
