/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import dev.cistern.exporter.dump.DiagnosticsDump;
import dev.cistern.exporter.finding.Diagnosed;
import dev.cistern.exporter.metrics.SeriesOptions;
import dev.cistern.exporter.report.CopyChunks;
import dev.cistern.exporter.report.History;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.Hosts;
import dev.cistern.exporter.report.PoolFigures;
import dev.cistern.exporter.report.PoolReport;
import dev.cistern.exporter.report.StatsSource;
import dev.cistern.exporter.schema.Figure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The host that the page shows in tests: real pools with the values of one moment, and a copy with
 * known sites and leaks.
 */
final class PageHost implements StatsSource, AutoCloseable {
  /** Options with a limit that leaves no series out, even for a host with many copies. */
  static final ExporterOptions OPTIONS =
      ExporterOptions.DEFAULT.withSeries(SeriesOptions.DEFAULT.withSeriesLimit(2_000));

  /** Number of steps of ten seconds in an hour. */
  static final int STEPS = 360;

  private volatile HostReport report;
  private volatile History history = History.NONE;
  private final List<CopyChunks> chunks;
  private final ExporterServer server;
  private final long startNanos = System.nanoTime();

  private PageHost(
      HostReport report,
      List<CopyChunks> chunks,
      String listen,
      Hosts others,
      ExporterOptions options)
      throws IOException {
    this.report = report;
    this.chunks = chunks;
    Hosts own = Hosts.of(this);
    this.server = ExporterServer.start(listen, both(own, others), options, null);
  }

  private Hosts both(Hosts own, Hosts others) {
    return new Hosts() {
      @Override
      public List<HostView> all() {
        List<HostView> all = new ArrayList<>(own.all());
        all.addAll(others.all());
        return all;
      }

      @Override
      public History history(HostView state) throws IOException {
        return state.isUp() && !own.all().get(0).id().equals(state.id())
            ? others.history(state)
            : history; // for the process itself and for ended processes
      }

      @Override
      public List<CopyChunks> chunks(String hostId) {
        return own.all().get(0).id().equals(hostId) ? own.chunks(hostId) : others.chunks(hostId);
      }
    };
  }

  /** Returns a host with real pools under load, whose values are then fixed. */
  static PageHost loaded() throws Exception {
    return loaded(List::of);
  }

  static PageHost loaded(Hosts others) throws Exception {
    LoadedHost host = new LoadedHost();
    host.start();
    try {
      host.allocateStill(900, 700, 60_000);
      host.leak(3, 4_096);
      HostReport loaded = host.report();
      List<PoolReport> copies = new ArrayList<>(List.of(Reports.copy("io.netty", Reports.leaks())));
      copies.addAll(loaded.copies());
      HostReport report =
          Diagnosed.of(new HostReport(loaded.host(), Reports.NOON_MILLIS + 300_000, 0, copies));
      return new PageHost(report, host.chunks(), "127.0.0.1:0", others, OPTIONS);
    } finally {
      host.stop();
    }
  }

  /** Returns a host with this report. */
  static PageHost of(HostReport report) throws IOException {
    return on("127.0.0.1:0", report);
  }

  static PageHost on(String listen, HostReport report) throws IOException {
    return new PageHost(report, List.of(), listen, List::of, OPTIONS);
  }

  /** Returns a host with this report, and with other hosts. */
  static PageHost among(HostReport report, Hosts others) throws IOException {
    return new PageHost(report, List.of(), "127.0.0.1:0", others, OPTIONS);
  }

  /** Returns a host with this report, which writes dumps to a directory. */
  static PageHost dumping(HostReport report, Path directory) throws IOException {
    ExporterOptions options = OPTIONS.withDump(new DiagnosticsDump(directory, () -> report));
    return new PageHost(report, List.of(), "127.0.0.1:0", List::of, options);
  }

  /**
   * Adds a history of the hour before the report, in which all values and sites grow evenly.
   *
   * @param share values an hour ago, as a fraction of the current values
   */
  PageHost withHour(double share) {
    history = hour(HostView.of(report), share);
    return this;
  }

  private static History hour(HostView now, double share) {
    List<History.Column> columns = new ArrayList<>();
    List<Long> last = new ArrayList<>();
    for (String memory : List.of("direct", "heap")) {
      for (Figure<?> figure : PoolFigures.POOL.figures()) {
        if (figure.hasHistory()) {
          columns.add(new History.Column(figure.key(), memory));
          last.add(Math.max(0, now.total(figure, memory)));
        }
      }
    }
    List<History.Point> points = new ArrayList<>();
    for (int i = 0; i <= STEPS; i++) {
      double part = share + (1 - share) * i / STEPS;
      List<Long> values = new ArrayList<>();
      for (int column = 0; column < columns.size(); column++) {
        boolean isLimit = columns.get(column).key().equals("limit_bytes");
        values.add(isLimit ? last.get(column) : (long) (part * last.get(column)));
      }
      List<History.Site> sites =
          now.copies().stream()
              .flatMap(copy -> copy.live().sites().stream())
              .map(site -> new History.Site(site.site(), (long) (part * site.live().bytes())))
              .toList();
      points.add(new History.Point(now.timeMillis() - (STEPS - i) * 10_000L, values, sites));
    }
    return new History(columns, points);
  }

  void show(HostReport next) {
    report = next;
  }

  int port() {
    return server.port();
  }

  String address() {
    return "http://127.0.0.1:" + port() + "/";
  }

  /** Returns the fixed report with the current time, as if each value had been read again. */
  @Override
  public HostReport report() {
    HostReport frozen = report;
    long millis = (System.nanoTime() - startNanos) / 1_000_000;
    return new HostReport(
            frozen.host(), frozen.timeMillis() + millis, frozen.failures(), frozen.copies())
        .with(frozen.memory(), frozen.diagnosis());
  }

  @Override
  public History history() {
    return history;
  }

  @Override
  public List<CopyChunks> chunks() {
    return chunks;
  }

  @Override
  public void close() {
    server.close();
  }
}
