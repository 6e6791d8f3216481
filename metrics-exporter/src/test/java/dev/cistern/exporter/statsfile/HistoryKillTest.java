/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.exporter.Fixtures;
import dev.cistern.exporter.report.History;
import dev.cistern.exporter.report.HostIdentity;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.testing.Tool;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The history of a process that is killed. */
class HistoryKillTest {
  /** Number of files of each process, written at different moments of a second. */
  private static final int FILES = 10;

  private static final int PROCESSES = 10;
  private static final long MAX_LOST_MILLIS = 2_000;

  @TempDir private Path directory;
  private final long seed = Long.getLong("cistern.seed", System.nanoTime());

  /**
   * A process that writes stats files until it is killed; all values of a report are based on its
   * time.
   */
  static final class Program {
    private Program() {}

    public static void main(String[] arguments) throws IOException {
      Random random = new Random(Long.parseLong(arguments[1]));
      for (int i = 0; i < FILES; i++) {
        HostIdentity host = new HostIdentity("%016x".formatted(i), "killed", "", "", 1, "0.1", 1);
        StatsFilePublisher.start(
            StatsFileOptions.in(Path.of(arguments[0])), () -> report(host), host, line -> {});
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(100)));
      }
      System.out.println("started");
      int unused = System.in.read();
    }

    private static HostReport report(HostIdentity host) {
      long now = System.currentTimeMillis();
      return new HostReport(host, now, 0, Fixtures.numbered(now).copies());
    }
  }

  @Test
  @Tag("full")
  void theLastPointIsRecentAndNoneIsTorn() throws Exception {
    System.out.println("seed: -Dcistern.seed=" + seed);
    Random random = new Random(seed);
    long mostLost = 0;
    for (int i = 0; i < PROCESSES; i++) {
      Path files = Files.createDirectory(directory.resolve("killed" + i));
      Process process =
          Tool.java(List.of(), Program.class, files.toString(), String.valueOf(seed + i)).start();
      BufferedReader printed =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
      assertThat(printed.readLine()).isEqualTo("started");
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1_000 + random.nextInt(2_000)));
      long killed = System.currentTimeMillis();
      process.destroyForcibly().waitFor();
      mostLost = Math.max(mostLost, check(files, killed));
    }
    System.out.printf("%d kills, most lost %d ms%n", PROCESSES * FILES, mostLost);
  }

  private static long check(Path directory, long killed) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.list(directory)) {
      files = all.filter(file -> file.toString().endsWith(StatsFileWriter.SUFFIX)).toList();
    }
    assertThat(files).hasSize(FILES);
    long mostLost = 0;
    for (Path file : files) {
      History history = new StatsFileReader().readHistory(file);
      assertThat(history.points())
          .as(file.toString())
          .isNotEmpty()
          .allMatch(HistoryKillTest::isWhole);
      long last = history.points().get(history.points().size() - 1).timeMillis();
      assertThat(killed - last).as(file.toString()).isLessThanOrEqualTo(MAX_LOST_MILLIS);
      mostLost = Math.max(mostLost, killed - last);
    }
    return mostLost;
  }

  /**
   * Returns whether all values of a point are of its time: {@link Fixtures#numbered} adds the time
   * to each.
   */
  private static boolean isWhole(History.Point point) {
    long time = point.timeMillis();
    return point.values().containsAll(List.of(time + 20_971_520, time + 3_145_728))
        && point.values().stream()
            .filter(value -> value > time / 2)
            .allMatch(value -> value >= time && value < time + 30_000_000);
  }
}
