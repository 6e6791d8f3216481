/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import dev.cistern.exporter.finding.Diagnosed;
import dev.cistern.exporter.metrics.CisternCollector;
import dev.cistern.exporter.metrics.SeriesOptions;
import dev.cistern.exporter.report.Diagnosis;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.PoolReport;
import dev.cistern.exporter.report.StatsSource;
import dev.cistern.exporter.schema.Detail;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LiveReport;
import java.util.List;
import java.util.stream.IntStream;

/** Numbers of series of processes, for the documentation. */
final class SeriesNumbers {
  private static final int OF_COLLECTOR = 4;

  private SeriesNumbers() {}

  static String table() {
    int one = count(copies(1), "none");
    return "| process | series |\n|---|---|\n"
        + row("one copy of Netty that Cistern serves", one)
        + row("the same, core figures only", count(copies(1), "none", 100))
        + row("what `detail=internals` adds", count(copies(1), "internals") - one)
        + row("what `detail=arenas` adds for 2 arenas", count(copies(1), "arenas") - one)
        + row("what `detail=sizes` adds for 4 size classes", count(copies(1), "sizes") - one)
        + row("one copy of Netty that is observed, with 3 allocators", count(observed(), "none"))
        + row("one allocator of the library", count(allocators(1), "none"))
        + row(
            "each further allocator of the library",
            count(allocators(2), "none") - count(allocators(1), "none"));
  }

  private static String row(String process, int series) {
    return "| " + process + " | " + series + " |\n";
  }

  private static int count(StatsSource source, String detail) {
    return count(source, detail, 1_000);
  }

  private static int count(StatsSource source, String detail, int limit) {
    SeriesOptions options = new SeriesOptions(0, 0, Detail.parse(detail), limit);
    return Scrape.series(new CisternCollector(source, options)).size() - OF_COLLECTOR;
  }

  private static StatsSource copies(int number) {
    HostReport report =
        measured(
            Reports.host(
                IntStream.range(0, number)
                    .mapToObj(i -> Reports.copy("pool" + i, LeakReport.EMPTY, LiveReport.EMPTY))
                    .map(Holders::watched)
                    .toArray(PoolReport[]::new)));
    return () -> report;
  }

  private static StatsSource observed() {
    HostReport report = measured(Reports.host(Holders.watched(Reports.observed())));
    return () -> report;
  }

  private static StatsSource allocators(int number) {
    AllocatorSource source = new AllocatorSource("shop");
    for (int i = 0; i < number; i++) {
      source.add("pool" + i, new dev.cistern.buffer.PooledByteBufAllocator(true));
    }
    return () -> measured(source.report());
  }

  /**
   * Returns a report of a process in a container, without a finding, and with an idle allocator.
   */
  private static HostReport measured(HostReport report) {
    HostReport whole = Diagnosed.everything(report);
    Diagnosis made = whole.diagnosis();
    return whole.with(
        whole.memory(),
        new Diagnosis(
            made.watchedMillis(),
            List.of(),
            List.of(),
            List.of(
                Diagnosis.Limit.of("direct", 1, 2),
                Diagnosis.Limit.of("io.netty", 1, 2),
                Diagnosis.Limit.of("container", 1, 2)),
            made.advice(),
            made.needs(),
            made.largest(),
            made.collector()));
  }
}
