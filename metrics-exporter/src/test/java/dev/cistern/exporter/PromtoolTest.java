/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.cistern.buffer.PooledByteBufAllocator;
import dev.cistern.exporter.metrics.CisternCollector;
import dev.cistern.exporter.metrics.SeriesOptions;
import dev.cistern.exporter.page.MetricsPage;
import dev.cistern.exporter.report.HostIdentity;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.HostView;
import dev.cistern.testing.Tool;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Prometheus' own linter finds no fault in a scrape. */
@Timeout(60)
class PromtoolTest {
  private static final int LIMIT_SECONDS = 30;

  @TempDir Path directory;

  @Test
  void aScrapeIsClean() throws Exception {
    assertEquals("0 ", check(Scrape.text(new CisternCollector(Reports::host))));
  }

  @Test
  void aScrapeOfEveryMetricInEveryDetailIsClean() throws Exception {
    assertEquals("0 ", check(Scrape.text(Scrape.everything())));
  }

  @Test
  void aScrapeOfRunningAndEndedHostsIsClean() throws Exception {
    List<HostView> states = new ArrayList<>();
    for (HostView.State state : HostView.State.values()) {
      HostIdentity host = SidecarReports.host(state.ordinal() + 1);
      HostReport report = new HostReport(host, 0, 0, Reports.everything().copies());
      states.add(HostView.of(report).with(state, Reports.NOON_MILLIS));
    }
    CisternCollector all = CisternCollector.ofHosts(() -> states, SeriesOptions.DEFAULT);
    assertEquals("0 ", check(Scrape.text(all)));
    ByteArrayOutputStream last = new ByteArrayOutputStream();
    MetricsPage.writeLast(states.get(states.size() - 1), last);
    assertEquals("0 ", check(last.toString(StandardCharsets.UTF_8)));
  }

  @Test
  void aScrapeOfTheLibraryIsClean() throws Exception {
    AllocatorSource source = new AllocatorSource("shop").add("a", new PooledByteBufAllocator(true));
    assertEquals("0 ", check(Scrape.text(new CisternCollector(source))));
  }

  @Test
  void aScrapeOfAFailedSourceIsClean() throws Exception {
    CisternCollector failing =
        new CisternCollector(
            () -> {
              throw new IllegalStateException();
            });
    assertEquals("0 ", check(Scrape.text(failing)));
  }

  @Test
  void theLinterFindsFaults() throws Exception {
    assertNotEquals("0 ", check("# TYPE cistern_things counter\ncistern_things 1\n"));
  }

  /** Returns the exit code and the output of promtool. */
  private String check(String scrape) throws IOException, InterruptedException {
    return run(Files.writeString(directory.resolve("scrape.txt"), scrape), "check", "metrics");
  }

  private String run(Path input, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(Tool.path("promtool", "prometheus")));
    command.addAll(List.of(arguments));
    Tool.Outcome outcome =
        Tool.run(new ProcessBuilder(command).redirectInput(input.toFile()), LIMIT_SECONDS);
    return outcome.status() + " " + outcome.printed();
  }
}
