/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.exporter.Fixtures;
import dev.cistern.exporter.report.HostFigures;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.StatsFileReport;
import dev.cistern.exporter.view.DiagnosticsText;
import dev.cistern.testing.TestLength;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatsFileRoundTripTest {
  private static final int RANDOM_REPORTS = TestLength.choose(50, 300, 300);

  @TempDir private Path directory;

  /** Writes a report to a file and reads it again. */
  private StatsFile written(HostReport report) throws IOException {
    try (StatsFileWriter writer = create(report)) {
      writer.write(HostView.of(report));
      assertThat(writer.rowsDropped()).isZero();
      return new StatsFileReader().read(Files.readAllBytes(writer.path()));
    }
  }

  private StatsFileWriter create(HostReport report) throws IOException {
    return StatsFileWriter.create(directory, report.host(), StatsFileWriter.MAX_BYTES, 1_000);
  }

  private HostView roundTrip(HostReport report) throws IOException {
    return Objects.requireNonNull(written(report).report());
  }

  @Test
  void everyReportIsReadAsWritten() throws IOException {
    for (HostReport report : Fixtures.reports()) {
      HostView read = roundTrip(report);
      assertThat(read).isEqualTo(Fixtures.inFile(report));
      assertThat(DiagnosticsText.live(read)).isEqualTo(DiagnosticsText.live(HostView.of(report)));
      assertThat(Fixtures.metrics(read)).isEqualTo(Fixtures.metrics(HostView.of(report)));
    }
  }

  @Test
  void theReportOfRealPoolsIsReadAsWritten() throws Exception {
    HostReport report = Fixtures.loaded();
    HostView read = roundTrip(report);
    assertThat(read).isEqualTo(Fixtures.inFile(report));
    assertThat(Fixtures.metrics(read)).isEqualTo(Fixtures.metrics(HostView.of(report)));
  }

  @Test
  void anyReportIsReadAsWritten() throws IOException {
    long seed = new SplittableRandom().nextLong();
    System.out.println("seed: " + seed);
    for (int i = 0; i < RANDOM_REPORTS; i++) {
      HostReport report = new RandomReports(seed + i).next();
      HostView read = roundTrip(report);
      assertThat(read).as("seed %d", seed + i).isEqualTo(Fixtures.inFile(report));
      assertThat(DiagnosticsText.live(read))
          .as("seed %d", seed + i)
          .isEqualTo(DiagnosticsText.live(HostView.of(report)));
    }
  }

  @Test
  void theFileHasStatisticsOfItsWriter() throws IOException {
    HostReport report = Fixtures.everything().withStatsFile(new StatsFileReport(5, 1, 262_144, 0));
    assertThat(roundTrip(report).row().get(HostFigures.STATS_FILE_FAILURES)).isOne();
  }

  @Test
  void theHeaderHasTheIdentityBeforeTheFirstReport() throws IOException {
    HostReport report = Fixtures.everything();
    try (StatsFileWriter writer = create(report)) {
      StatsFile file = new StatsFileReader().read(Files.readAllBytes(writer.path()));
      assertThat(file.report()).isNull();
      assertThat(file.isTorn()).isFalse();
      assertThat(file.identity()).isEqualTo(report.host());
      assertThat(file.header().intervalMillis()).isEqualTo(1_000);
      assertThat(file.header().isLocked()).isTrue();
    }
  }
}
