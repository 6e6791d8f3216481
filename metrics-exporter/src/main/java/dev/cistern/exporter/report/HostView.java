/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

import dev.cistern.exporter.schema.Figure;
import dev.cistern.exporter.schema.Row;
import dev.cistern.stats.ChannelReport.Queue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * An exporter's view of a process. The data is from the process itself, or from its stats file.
 *
 * @param row its figures, of {@link HostFigures#HOST}
 * @param copies its copies of Netty or allocators, in the order of the rows
 */
public record HostView(Row row, List<CopyView> copies) {
  /** State of a process. */
  public enum State {
    /** The process runs. */
    UP("runs"),
    /** The process has ended by itself or by SIGTERM. */
    EXITED("has shut down"),
    /** The process was killed, or has crashed. */
    DIED("has died");

    private final String words;

    State(String words) {
      this.words = words;
    }

    /** Returns the state in words, to be appended to a name. */
    public String words() {
      return words;
    }
  }

  /** Copies the list. */
  public HostView {
    copies = List.copyOf(copies);
  }

  /**
   * Returns the sum of a figure over all pools of one kind of memory. For limits, which pools may
   * or may not share, returns the value of the most used limit.
   *
   * @return {@link Figure#ABSENT} if no pool has it
   */
  public long total(Figure<?> figure, String memory) {
    List<Row> pools =
        copies.stream().map(copy -> copy.pool(memory)).filter(Objects::nonNull).toList();
    if (figure == PoolFigures.LIMIT_BYTES || figure == PoolFigures.LIMIT_USED_BYTES) {
      return pools.stream()
          .filter(pool -> pool.get(PoolFigures.LIMIT_BYTES) > 0)
          .max(Comparator.comparingDouble(HostView::usedPart))
          .map(pool -> pool.get(figure))
          .orElse(Figure.ABSENT);
    }
    return sum(pools.stream(), figure);
  }

  private static double usedPart(Row pool) {
    double limit = pool.get(PoolFigures.LIMIT_BYTES);
    return pool.orZero(PoolFigures.LIMIT_USED_BYTES) / limit;
  }

  /** Returns the view of a running process, from its own report. Addresses are masked. */
  public static HostView of(HostReport report) {
    return withPeers(report).masked();
  }

  /**
   * Returns the view of a running process with the addresses of the peers of its channels, for
   * clients that may see stacks.
   */
  public static HostView withPeers(HostReport report) {
    Row row = Schema.host().read(report);
    List<Row> rows = row.rows(CopyFigures.COPY);
    List<CopyView> copies = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      PoolReport copy = report.copies().get(i);
      List<String> peers =
          copy.netty().channels().largest().stream().map(Queue::remoteAddress).toList();
      copies.add(new CopyView(rows.get(i), copy.leaks(), copy.live(), peers));
    }
    return new HostView(row, copies);
  }

  /** Returns this view with masked addresses. */
  public HostView masked() {
    return new HostView(row, copies.stream().map(CopyView::masked).toList());
  }

  /**
   * Returns the sum of a figure over all copies.
   *
   * @return {@link Figure#ABSENT} if no copy has it
   */
  public long total(Figure<?> figure) {
    return sum(copies.stream().map(CopyView::row), figure);
  }

  private static long sum(Stream<Row> rows, Figure<?> figure) {
    return rows.mapToLong(row -> row.get(figure))
        .filter(value -> value != Figure.ABSENT)
        .reduce(Long::sum)
        .orElse(Figure.ABSENT);
  }

  /** Returns the view of a process that has not reported yet. */
  public static HostView nothing(HostIdentity host) {
    return of(new HostReport(host, host.startMillis(), 0, List.of()));
  }

  /** Returns this view with the identity from the header of its file. */
  public HostView as(HostIdentity host) {
    HostView named = nothing(host);
    Row changed =
        row.withNamesOf(named.row, HostFigures.NAMES)
            .with(HostFigures.START_TIME, named.row.get(HostFigures.START_TIME));
    return new HostView(changed, copies);
  }

  /**
   * Returns this view with another state, and with the time of the last heartbeat in milliseconds
   * since the epoch.
   */
  public HostView with(State state, long heartbeatMillis) {
    Row changed =
        row.with(HostFigures.UP, state == State.UP ? 1 : 0)
            .with(HostFigures.EXITED_CLEANLY, state == State.EXITED ? 1 : 0)
            .with(HostFigures.HEARTBEAT, heartbeatMillis);
    return new HostView(changed, copies);
  }

  /** Returns this view with the failures from the header of its stats file. */
  public HostView withFailures(long failures) {
    long known = row.orZero(HostFigures.STATS_FILE_FAILURES);
    return new HostView(
        row.with(HostFigures.STATS_FILE_FAILURES, Math.max(known, failures)), copies);
  }

  /**
   * Returns this view without the names and numbers that identify the process, and without hints.
   */
  public HostView withoutNames() {
    List<CopyView> hintless =
        copies.stream()
            .map(
                copy ->
                    new CopyView(HolderFigures.withoutHints(copy.row()), copy.leaks(), copy.live()))
            .toList();
    List<Row> below = new ArrayList<>(row.rows());
    below.removeIf(each -> each.scope() == CopyFigures.COPY);
    hintless.forEach(copy -> below.add(copy.row()));
    return new HostView(row.withOnly(below).withoutNames(HostFigures.NAMES), hintless);
  }

  /** Returns its random ID: 16 hexadecimal digits. */
  public String id() {
    return row.labels().get(0);
  }

  /** Returns the name of the application, as configured; empty if it has none. */
  public String application() {
    return row.labels().get(1);
  }

  /** Returns the name of its service by OpenTelemetry's semantic conventions. */
  public String service() {
    return application().isEmpty() ? "unknown_service:java" : application();
  }

  /** Returns the name of its pod; empty if there is none. */
  public String pod() {
    return row.get(HostFigures.POD);
  }

  /** Returns the name of its container; empty if there is none. */
  public String container() {
    return row.get(HostFigures.CONTAINER);
  }

  /** Returns the version of Cistern in it. */
  public String version() {
    return row.get(HostFigures.VERSION);
  }

  /** Returns the time of its report, in milliseconds since the epoch. */
  public long timeMillis() {
    return row.orZero(HostFigures.REPORT_TIME);
  }

  /** Returns the time of its last heartbeat, in milliseconds since the epoch. */
  public long heartbeatMillis() {
    return row.orZero(HostFigures.HEARTBEAT);
  }

  /** Returns whether the process runs. */
  public boolean isUp() {
    return row.get(HostFigures.UP) == 1;
  }

  /** Returns its state. */
  public State state() {
    if (isUp()) {
      return State.UP;
    }
    return row.get(HostFigures.EXITED_CLEANLY) == 1 ? State.EXITED : State.DIED;
  }

  /**
   * Sampling of the pools with a leak detector.
   *
   * @param failedSamples number of samples that could not be recorded
   * @param largestIntervalBytes the largest mean distance of two samples of any thread, in bytes
   */
  public record Sampling(long failedSamples, long largestIntervalBytes) {}

  /** Returns the sampling of the pools of a copy. The pools of the library share one detector. */
  public Sampling sampling(CopyView copy) {
    List<Row> pools =
        copies.stream()
            .filter(
                other ->
                    copy.isOfLibrary() ? other.isOfLibrary() : other.pool().equals(copy.pool()))
            .flatMap(other -> other.pools().stream())
            .toList();
    return new Sampling(
        pools.stream().mapToLong(pool -> pool.orZero(PoolFigures.FAILED_SAMPLES)).sum(),
        pools.stream()
            .mapToLong(pool -> pool.orZero(PoolFigures.LARGEST_SAMPLE_INTERVAL_BYTES))
            .max()
            .orElse(0));
  }
}
