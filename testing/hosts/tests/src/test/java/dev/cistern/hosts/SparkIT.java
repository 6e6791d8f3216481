/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.demo.Exposition;
import dev.cistern.demo.Metrics;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A driver of Spark, and two executors in separate JVMs with the driver's agents. */
class SparkIT {
  private static final Duration REST_LIMIT = Duration.ofSeconds(10);
  private static final Pattern ENDPOINT =
      Pattern.compile("cistern: .* metrics on http://127\\.0\\.0\\.1:(\\d+)/");

  @TempDir private Path folder;

  /**
   * Runs one driver at a time, because three with their executors are too many JVMs for a small
   * machine.
   */
  @ParameterizedTest
  @ValueSource(strings = {"swap", "observe"})
  @Timeout(value = 8, unit = TimeUnit.MINUTES)
  void driverAndExecutors(String mode) throws Exception {
    Map<String, byte[]> expected;
    try (HostProcess bare = HostProcess.start(spark())) {
      expected = talk(bare);
      bare.end();
    }
    HostCommand command = spark().withAgent("listen=127.0.0.1:0,statsDirectory=none,mode=" + mode);
    try (HostProcess driver = HostProcess.start(command)) {
      int port = driver.ports().get(0);
      Metrics ofDriver = driver.metrics(1, () -> HttpLoad.echo().touch(port));
      List<Metrics> executors = executors(driver);
      Comparison.assertSame(talk(driver), expected);
      for (Metrics executor : executors) {
        assertMode(mode, executor);
      }
      Compatibility.record(command, mode, assertMode(mode, ofDriver));
      driver.end();
    }
  }

  private static Map<String, byte[]> talk(HostProcess driver) throws Exception {
    int port = driver.ports().get(0);
    try {
      return HttpLoad.echo().talk(port);
    } catch (AssertionError failed) {
      throw new AssertionError(driver.toString(), failed);
    }
  }

  /**
   * Returns the host with the options that Spark needs; the driver passes them to the executors.
   */
  private HostCommand spark() {
    return Hosts.echo("spark", "spark.SparkHost")
        .with(
            "-Xmx1g",
            "--add-opens=java.base/java.lang.invoke=ALL-UNNAMED",
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            "-Djava.io.tmpdir=" + folder);
  }

  /** Waits until both executors log the endpoint of their agent. */
  private List<Metrics> executors(HostProcess driver) {
    return Awaitility.await("endpoints of the executors")
        .atMost(HostProcess.LIMIT)
        .until(
            () -> {
              HttpLoad.echo().touch(driver.ports().get(0));
              return logs().stream().flatMap(SparkIT::endpoint).toList();
            },
            endpoints -> endpoints.size() == 2);
  }

  /**
   * Returns the logs. Spark creates and deletes files at the same time, so a missing file is not a
   * failure.
   */
  private List<Path> logs() throws IOException {
    List<Path> logs = new ArrayList<>();
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.endsWith("stderr")) {
              logs.add(file);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException gone) {
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, IOException gone) {
            return FileVisitResult.CONTINUE;
          }
        });
    return logs;
  }

  private static Stream<Metrics> endpoint(Path log) {
    try (Stream<String> lines = Files.lines(log)) {
      return lines
          .map(ENDPOINT::matcher)
          .filter(Matcher::find)
          .map(endpoint -> new Metrics(Integer.parseInt(endpoint.group(1))))
          .toList()
          .stream();
    } catch (IOException e) {
      throw new AssertionError(log.toString(), e);
    }
  }

  private static Exposition assertMode(String mode, Metrics jvm) throws IOException {
    Exposition scrape =
        jvm.scrapeUntil(seen -> seen.sumIfThere("cistern_pinned_bytes").orElse(1) == 0, REST_LIMIT);
    assertThat(scrape.samples("cistern_netty_copy_info"))
        .singleElement()
        .satisfies(copy -> assertThat(copy.label("mode")).isEqualTo(mode));
    if (mode.equals("swap")) {
      double allocations = scrape.sum("cistern_allocations_total");
      assertThat(allocations).as("buffers of %s", jvm).isPositive();
      assertThat(scrape.sum("cistern_deallocations_total")).isEqualTo(allocations);
    } else {
      assertThat(scrape.sum("cistern_netty_arena_allocations_total")).isPositive();
      assertThat(scrape.sum("cistern_served_allocations_total")).isZero();
    }
    assertThat(scrape.sum("cistern_fallback_allocations_total")).isZero();
    assertThat(scrape.sum("cistern_bridge_failures_total")).isZero();
    assertThat(scrape.sum("cistern_leaks_total")).isZero();
    return scrape;
  }
}
