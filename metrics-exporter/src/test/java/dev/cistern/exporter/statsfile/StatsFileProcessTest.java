/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.exporter.Fixtures;
import dev.cistern.exporter.HostIdentity;
import dev.cistern.exporter.HostReport;
import dev.cistern.testing.Tool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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

  /** Writes as fast as it can, reports that say their number twice. */
  public static final class Child {
    private Child() {}

    /** Never returns. */
    public static void main(String[] arguments) throws IOException {
      HostReport report = Fixtures.everything();
      HostIdentity host = report.host();
      StatsFileWriter writer =
          StatsFileWriter.create(Path.of(arguments[0]), host, StatsFileWriter.MAX_BYTES, 1_000);
      for (long i = 1; ; i++) {
        writer.write(new HostReport(host, i, i, report.copies()));
      }
    }
  }

  private Process start() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx64m",
            "-cp",
            System.getProperty("java.class.path"),
            Child.class.getName(),
            directory.toString())
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
      HostReport report = Objects.requireNonNull(left.report());
      assertThat(report.timeMillis()).isEqualTo(report.failures()).isGreaterThan(1_000);
      assertThat(left.exitedCleanly()).isFalse();
      assertThat(left.header().isLocked()).isTrue();
      torn += left.isTorn() ? 1 : 0;
      Files.delete(file);
    }
    System.out.println("torn: " + torn + " of " + DEATHS);
  }

  private long writes(Path file) throws IOException {
    HostReport report = reader.read(file).report();
    return report == null ? 0 : report.timeMillis();
  }

  @Test
  void theReaderInPythonReadsWhatIsWritten() throws Exception {
    HostReport report = Fixtures.everything();
    Path file = Files.write(directory.resolve("f.cistern"), Images.of(directory, report, report));
    Path script = Path.of("..", "docs", "read-stats-file.py").toAbsolutePath();
    List<String> command =
        List.of(Tool.path("python3", "python3"), script.toString(), file.toString());
    Process python = new ProcessBuilder(command).redirectErrorStream(true).start();
    String printed = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(python.waitFor()).as(printed).isZero();
    assertThat(printed)
        .contains("id: " + report.host().id(), "application: shop", "format_version: 2")
        .contains("\nreport\ntime_millis\tfailures\t")
        .contains("\ncopies\npool\tversion\tmode\t", "\nio.netty\t4.1.135.Final\tswap\t")
        .contains("\npools\ncopy\tmemory\t", "\tRESERVED_BYTES\tPINNED_BYTES\t")
        .contains("\nframes\ntext\tcaller\n", "com.shop.Cart.encode(Source.java:42)");
    long leaks = report.copies().get(0).leaks().entries().size();
    String table = printed.substring(printed.indexOf("\nleaks\n"));
    assertThat(table.substring(1, table.indexOf("\n\n")).lines()).hasSize((int) leaks + 2);
  }
}
