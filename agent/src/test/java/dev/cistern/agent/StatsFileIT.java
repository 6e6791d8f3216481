/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cistern.exporter.report.CopyFigures;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.statsfile.StatsFile;
import dev.cistern.exporter.statsfile.StatsFileReader;
import dev.cistern.testing.Tool;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The stats file that the agent writes, read by another JVM: this one. */
class StatsFileIT {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String QUICK = ",statsIntervalMillis=100";

  @TempDir private Path folder;
  private final StatsFileReader reader = new StatsFileReader();

  private RunningHost start(String settings) throws IOException {
    return HostJvm.netty("4.1").main("example.host.Steady").agent(settings).start();
  }

  private static List<Path> files(Path directory) throws IOException {
    List<Path> files = new ArrayList<>();
    if (!Files.exists(directory)) {
      return files;
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      entries.forEach(files::add);
    }
    return files;
  }

  /** Returns the only file, once it has a report with a pool. */
  private Path fileWithPools(Path directory) {
    return await()
        .atMost(PATIENCE)
        .until(
            () -> {
              List<Path> files =
                  files(directory).stream()
                      .filter(file -> file.toString().endsWith(".cistern"))
                      .toList();
              return files.isEmpty() || pools(files.get(0)) == 0 ? null : files.get(0);
            },
            Objects::nonNull);
  }

  private int pools(Path file) throws IOException {
    HostView report = reader.read(file).report();
    return report == null
        ? 0
        : report.copies().stream().mapToInt(copy -> copy.pools().size()).sum();
  }

  private HostView report(Path file) throws IOException {
    return Objects.requireNonNull(reader.read(file).report());
  }

  @Test
  void anotherProcessReadsWhatTheEndpointShows() throws Exception {
    String names =
        ",application=shop,pod=shop-1,container=main,statsDirectory=" + folder.resolve("new/one");
    try (RunningHost host = start(AgentEndpoint.LISTEN + names + QUICK)) {
      Path file = fileWithPools(folder.resolve("new/one"));
      assertThat(Files.getPosixFilePermissions(file))
          .isEqualTo(PosixFilePermissions.fromString("rw-r-----"));
      StatsFile read = reader.read(file);
      assertThat(read.identity().application()).isEqualTo("shop");
      assertThat(read.identity().pod()).isEqualTo("shop-1");
      assertThat(read.identity().container()).isEqualTo("main");
      assertThat(read.identity().pid()).isEqualTo(host.pid());
      assertThat(file.getFileName()).hasToString(read.identity().id() + ".cistern");
      assertThat(read.exitedCleanly()).isFalse();
      await().atMost(PATIENCE).until(() -> StatsFileReader.isLocked(file));
      host.order("stop");
      AgentEndpoint endpoint = AgentEndpoint.of(host);
      await().atMost(PATIENCE).until(() -> served(file) == (long) shown(endpoint));
      await().atMost(PATIENCE).until(() -> endpoint.sum("cistern_stats_file_writes_total") > 2);
      assertThat(endpoint.sum("cistern_stats_file_failures_total")).isZero();
      assertThat(endpoint.sum("cistern_stats_file_rows_dropped")).isZero();
      assertThat(host.exit()).isZero();
      assertEnd(file, true);
    }
  }

  /** The publisher records the history if there is a file; otherwise the endpoint does. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void thePageHasAHistory(boolean hasFile) throws Exception {
    String directory = ",statsDirectory=" + (hasFile ? folder : "none");
    try (RunningHost host = start(AgentEndpoint.LISTEN + directory + QUICK)) {
      AgentEndpoint endpoint = AgentEndpoint.of(host);
      await().atMost(PATIENCE).until(() -> points(endpoint.body("/history")) > 2);
    }
  }

  private static int points(String history) {
    Matcher times = Pattern.compile("\"times_millis\":\\[([^\\]]+)\\]").matcher(history);
    return times.find() ? times.group(1).split(",").length : 0;
  }

  private long served(Path file) throws IOException {
    return report(file).copies().stream()
        .mapToLong(copy -> copy.row().orZero(CopyFigures.SERVED))
        .sum();
  }

  private static double shown(AgentEndpoint endpoint) throws Exception {
    return endpoint.sum("cistern_served_allocations_total");
  }

  private void assertEnd(Path file, boolean isClean) throws IOException {
    assertThat(StatsFileReader.isLocked(file)).isFalse();
    assertThat(reader.read(file).exitedCleanly()).isEqualTo(isClean);
    assertThat(report(file).copies()).isNotEmpty();
  }

  @Test
  void aKilledHostLeavesItsLastReport() throws Exception {
    try (RunningHost host = start("listen=none,statsDirectory=" + folder + QUICK)) {
      Path file = fileWithPools(folder);
      host.kill();
      assertEnd(file, false);
    }
  }

  @Test
  void aHostThatIsTerminatedReportsACleanExit() throws Exception {
    try (RunningHost host = start("listen=none,statsDirectory=" + folder + QUICK)) {
      Path file = fileWithPools(folder);
      host.terminate();
      assertEnd(file, true);
    }
  }

  @Test
  void withoutAFileNothingIsWritten() throws Exception {
    try (RunningHost host = start("listen=none,statsDirectory=none")) {
      await().atMost(PATIENCE).until(() -> host.order("classes").startsWith("dev.cistern.netty."));
      assertThat(host.threads()).contains("cistern-agent").doesNotContain("cistern-stats");
    }
  }

  /** A directory that is not writable causes one line in the log, and no other effect. */
  @ParameterizedTest
  @ValueSource(strings = {"/proc/cistern", "/sys/cistern"})
  void aDirectoryThatCannotBeMade(String directory) throws Exception {
    try (RunningHost host = start(AgentEndpoint.LISTEN + ",statsDirectory=" + directory + QUICK)) {
      await().atMost(PATIENCE).until(() -> host.errors().size() == 2);
      assertThat(host.errors()).anyMatch(line -> line.contains("stats file in " + directory));
      AgentEndpoint endpoint = AgentEndpoint.of(host);
      await().atMost(PATIENCE).until(() -> failures(endpoint) > 0);
      assertThat(host.order("classes")).startsWith("dev.cistern.netty.");
      host.order("stop");
      assertThat(host.exit()).isZero();
    }
  }

  private static double failures(AgentEndpoint endpoint) throws Exception {
    return endpoint.sum("cistern_stats_file_failures_total");
  }

  @Test
  void aSymbolicLinkIsNotFollowed() throws Exception {
    Path link =
        Files.createSymbolicLink(
            folder.resolve("link"), Files.createDirectory(folder.resolve("target")));
    try (RunningHost host = start("listen=none,statsDirectory=" + link + QUICK)) {
      await().atMost(PATIENCE).until(() -> host.errors().size() == 2);
      assertThat(host.errors()).anyMatch(line -> line.contains("is a symbolic link"));
      assertThat(folder.resolve("target")).isEmptyDirectory();
    }
  }

  /**
   * A file system of 64 KiB is too small for a file of 256 KiB, of which no page may be missing.
   */
  @Test
  void aFileSystemThatIsFull() throws Exception {
    Path small = Files.createDirectory(folder.resolve("small"));
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", small.toString()) == 0,
        "no right to mount a file system: not tested");
    try (RunningHost host = start(AgentEndpoint.LISTEN + ",statsDirectory=" + small + QUICK)) {
      AgentEndpoint endpoint = AgentEndpoint.of(host);
      await().atMost(PATIENCE).until(() -> failures(endpoint) > 0);
      assertThat(host.errors()).anyMatch(line -> line.contains("No space left on device"));
      assertThat(files(small)).isEmpty();
      assertThat(host.order("classes")).startsWith("dev.cistern.netty.");
      host.order("stop");
      assertThat(host.exit()).isZero();
    } finally {
      run("umount", small.toString());
    }
  }

  private static int run(String... command) throws IOException, InterruptedException {
    return Tool.run(new ProcessBuilder(command), 60).status();
  }
}
