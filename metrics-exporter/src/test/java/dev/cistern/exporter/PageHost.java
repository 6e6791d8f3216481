/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What the page shows in its tests: real pools, whose figures were taken at one moment and stand
 * still, and beside them a copy whose sites and leaks are known.
 */
final class PageHost implements StatsSource, AutoCloseable {
  /** All that the page shows has a series, also of a host with many copies. */
  static final ExporterOptions OPTIONS = ExporterOptions.DEFAULT.withSeriesLimit(2_000);

  private volatile HostReport report;
  private final List<CopyChunks> chunks;
  private final ExporterServer server;
  private final long startNanos = System.nanoTime();

  private PageHost(HostReport report, List<CopyChunks> chunks, String listen, Hosts others)
      throws IOException {
    this.report = report;
    this.chunks = chunks;
    Hosts own = Hosts.of(this);
    this.server = ExporterServer.start(listen, both(own, others), OPTIONS, null);
  }

  private static Hosts both(Hosts own, Hosts others) {
    return new Hosts() {
      @Override
      public List<HostState> all() {
        List<HostState> all = new ArrayList<>(own.all());
        all.addAll(others.all());
        return all;
      }

      @Override
      public List<CopyChunks> chunks(String hostId) {
        return own.all().get(0).report().host().id().equals(hostId)
            ? own.chunks(hostId)
            : others.chunks(hostId);
      }
    };
  }

  /** Real pools under load, frozen. */
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
      List<CopyReport> copies = new ArrayList<>(List.of(Reports.copy("io.netty", Reports.leaks())));
      copies.addAll(loaded.copies());
      HostReport report = new HostReport(loaded.host(), Reports.NOON_MILLIS + 300_000, 0, copies);
      return new PageHost(report, host.chunks(), "127.0.0.1:0", others);
    } finally {
      host.stop();
    }
  }

  /** A host that tells this. */
  static PageHost of(HostReport report) throws IOException {
    return on("127.0.0.1:0", report);
  }

  static PageHost on(String listen, HostReport report) throws IOException {
    return new PageHost(report, List.of(), listen, List::of);
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

  /** All figures stand still; only the time goes on, as each of them has been asked for again. */
  @Override
  public HostReport report() {
    HostReport frozen = report;
    long millis = (System.nanoTime() - startNanos) / 1_000_000;
    return new HostReport(
        frozen.host(), frozen.timeMillis() + millis, frozen.failures(), frozen.copies());
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
