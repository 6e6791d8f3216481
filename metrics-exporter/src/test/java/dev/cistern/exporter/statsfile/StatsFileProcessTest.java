/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.exporter.Fixtures;
import dev.cistern.exporter.report.HostFigures;
import dev.cistern.exporter.report.HostIdentity;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.HostView;
import dev.cistern.testing.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of other processes: locks, deaths, and a reader in another language. */
class StatsFileProcessTest {
  private static final int DEATHS = 6;

  private final StatsFileReader reader = new StatsFileReader();
  @TempDir private Path directory;

  /** A process that writes reports as fast as it can; each has its number twice. */
  public static final class Child {
    private Child() {}

    /** Never returns. */
    public static void main(String[] arguments) throws IOException {
      HostReport report = Fixtures.everything();
      HostIdentity host = report.host();
      StatsFileWriter writer =
          StatsFileWriter.create(Path.of(arguments[0]), host, StatsFileWriter.MAX_BYTES, 1_000);
      for (long i = 1; ; i++) {
        writer.write(HostView.of(new HostReport(host, i, i, report.copies())));
      }
    }
  }

  private Process start() throws IOException {
    return Tool.java(List.of("-Xmx64m"), Child.class, directory.toString())
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve("printed.txt").toFile())
        .start();
  }

  @Test
  void aKilledWriterLeavesAWholeReportAndNoLock() throws Exception {
    Path file = directory.resolve(Fixtures.everything().host().id() + ".cistern");
    int torn = 0;
    for (int death = 0; death < DEATHS; death++) {
      Process child = start();
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> !child.isAlive() || (Files.exists(file) && writes(file) > 1_000));
      assertThat(child.isAlive()).as(Files.readString(directory.resolve("printed.txt"))).isTrue();
      await().until(() -> StatsFileReader.isLocked(file));
      child.destroyForcibly().waitFor();
      assertThat(StatsFileReader.isLocked(file)).isFalse();
      StatsFile left = reader.read(file);
      HostView report = Objects.requireNonNull(left.report());
      assertThat(report.timeMillis())
          .isEqualTo(report.row().get(HostFigures.AGENT_FAILURES))
          .isGreaterThan(1_000);
      assertThat(left.exitedCleanly()).isFalse();
      assertThat(left.header().isLocked()).isTrue();
      torn += left.isTorn() ? 1 : 0;
      Files.delete(file);
    }
    System.out.println("torn: " + torn + " of " + DEATHS);
  }

  private long writes(Path file) throws IOException {
    HostView report = reader.read(file).report();
    return report == null ? 0 : report.timeMillis();
  }
}
