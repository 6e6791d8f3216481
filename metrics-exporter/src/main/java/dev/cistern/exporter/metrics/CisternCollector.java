/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.metrics;

import dev.cistern.exporter.report.ExporterFigures;
import dev.cistern.exporter.report.ExporterState;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.Hosts;
import dev.cistern.exporter.report.SiteStyle;
import dev.cistern.exporter.report.StatsSource;
import dev.cistern.exporter.schema.Detail;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricFamilyDescriptor;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of one or more hosts for the Prometheus client library. Each scrape reads all hosts
 * once, so that all families of a scrape are of the same moment.
 *
 * <p>Each series of a process has its {@code application}, and its {@code host_id} if the source
 * has other processes than this one. A source that fails does not fail the scrape: the scrape has
 * {@code cistern_up} 0 and counts the error.
 */
public final class CisternCollector implements MultiCollector {
  /** The figures of a process, or those of the exporter itself if there is none. */
  private record Part(@Nullable HostView host, MetricFamilies families) {}

  /** Approximate start time of the counters of the exporter itself. */
  private static final long START_MILLIS = System.currentTimeMillis();

  private final Hosts hosts;
  private final SeriesOptions options;

  /** Metrics of the exporter itself. */
  private final ExporterState.Source own;

  /** State that scrapes share, by host ID. Any scraping thread changes it. */
  private final Map<String, HostSeries> series = new ConcurrentHashMap<>();

  /** Written by any scraping thread. */
  private final LongAdder errors = new LongAdder();

  /** Creates a collector of the reports of {@code source}, with {@link SeriesOptions#DEFAULT}. */
  public CisternCollector(StatsSource source) {
    this(source, SeriesOptions.DEFAULT);
  }

  /** Creates a collector of the reports of {@code source}. */
  public CisternCollector(StatsSource source, SeriesOptions options) {
    this(Hosts.of(source), options, to -> {});
  }

  /** Returns a collector of the reports of several hosts. */
  public static CisternCollector ofHosts(Hosts hosts, SeriesOptions options) {
    return new CisternCollector(hosts, options, to -> {});
  }

  public CisternCollector(Hosts hosts, SeriesOptions options, ExporterState.Source own) {
    this.hosts = hosts;
    this.options = options;
    this.own = own;
  }

  @Override
  public MetricSnapshots collect() {
    return collect(SiteStyle.NAMES, options.detail());
  }

  /** Returns the same as {@link #collect()}, with sites in the style that a client may see. */
  public MetricSnapshots collect(SiteStyle style, Set<Detail> details) {
    boolean withHostId = hosts.areOthers();
    MetricFamilies all = new MetricFamilies(withHostId, style::of);
    parts(style, details, withHostId).forEach(part -> all.addAll(part.families()));
    return all.build();
  }

  /**
   * Returns the metrics of a scrape as {@code ExportMetricsServiceRequest} of OTLP, with one
   * resource for each process.
   *
   * @throws IOException never
   */
  public byte[] encodeOtlp() throws IOException {
    List<Part> parts = parts(SiteStyle.NAMES, options.detail(), false);
    if (!hosts.areOthers() && parts.size() == 2) {
      parts.get(0).families().addAll(parts.remove(1).families()); // the exporter is in the process
    }
    OtlpMetrics otlp = new OtlpMetrics();
    for (Part part : parts) {
      otlp.add(part.host(), hosts.areOthers(), part.families().build());
    }
    return otlp.encode();
  }

  /**
   * Returns the figures of each process, and those of the exporter itself as the last. Returns only
   * the latter if the source fails, because all figures of a scrape must be of one moment.
   */
  private List<Part> parts(SiteStyle style, Set<Detail> details, boolean withHostId) {
    ExporterState state = new ExporterState();
    List<Part> parts = new ArrayList<>();
    long start = System.nanoTime();
    try {
      List<HostView> views = hosts.all();
      state.set(ExporterFigures.SCRAPE_DURATION, System.nanoTime() - start);
      own.addTo(state);
      state.set(ExporterFigures.UP, 1);
      state.set(ExporterFigures.SERIES_DROPPED, 0);
      state.set(ExporterFigures.SCRAPE_ERRORS, 0);
      int ofExporter = MetricFamilies.count(ExporterFigures.EXPORTER.read(state), Detail.ALL);
      int reserved = hosts.areOthers() ? 0 : ofExporter;
      int dropped = 0;
      int running = Math.max(1, (int) views.stream().filter(HostView::isUp).count());
      for (HostView host : views) {
        MetricFamilies families = new MetricFamilies(withHostId, style::of);
        dropped += seriesOf(host).addTo(families, host, details, reserved, running);
        parts.add(new Part(host, families));
      }
      forgetAllBut(views);
      state.set(ExporterFigures.SERIES_DROPPED, dropped);
    } catch (RuntimeException | LinkageError e) {
      errors.increment();
      parts.clear();
      state = new ExporterState();
      state.set(ExporterFigures.UP, 0);
      state.set(ExporterFigures.SCRAPE_DURATION, System.nanoTime() - start);
    }
    state.set(ExporterFigures.SCRAPE_ERRORS, errors.sum());
    MetricFamilies exporter = new MetricFamilies(false, style::of);
    exporter.add(
        MetricFamilies.Path.since(START_MILLIS), ExporterFigures.EXPORTER.read(state), Detail.ALL);
    parts.add(new Part(null, exporter));
    return parts;
  }

  /** Returns the groups of figures of a scrape that does not request any groups. */
  public Set<Detail> detail() {
    return options.detail();
  }

  private HostSeries seriesOf(HostView host) {
    return series.computeIfAbsent(host.id(), id -> new HostSeries(options));
  }

  private void forgetAllBut(List<HostView> views) {
    if (series.size() > views.size()) {
      series.keySet().retainAll(views.stream().map(HostView::id).collect(Collectors.toSet()));
    }
  }

  /** Returns the number of scrapes so far in which the source failed. */
  public long errors() {
    return errors.sum();
  }

  @Override
  public List<MetricFamilyDescriptor> getMetricFamilyDescriptors() {
    return MetricFamilies.descriptors(hosts.areOthers());
  }
}
