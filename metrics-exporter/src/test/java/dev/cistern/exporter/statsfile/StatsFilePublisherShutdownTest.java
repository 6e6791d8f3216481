/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.exporter.Fixtures;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.testing.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A JVM that ends slowly after a request to end. */
class StatsFilePublisherShutdownTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final StatsFileReader reader = new StatsFileReader();
  private final HostReport report = Fixtures.everything();
  @TempDir private Path directory;

  /** A process that writes until the request to end, and ends when the file "go" exists. */
  public static final class Child {
    private Child() {}

    /** Never returns. */
    public static void main(String[] arguments) throws InterruptedException {
      Path directory = Path.of(arguments[0]);
      HostReport report = Fixtures.everything();
      StatsFileOptions options =
          new StatsFileOptions(directory, false, StatsFileWriter.MAX_BYTES, 20);
      StatsFilePublisher unused =
          StatsFilePublisher.start(
              options,
              () -> {
                waitWhile(directory.resolve("stuck"), true);
                return report;
              },
              report.host(),
              System.out::println);
      Runtime.getRuntime()
          .addShutdownHook(new Thread(() -> waitWhile(directory.resolve("go"), false)));
      Thread.currentThread().join();
    }

    private static void waitWhile(Path file, boolean exists) {
      while (Files.exists(file) == exists) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
      }
    }
  }

  private Process start() throws IOException {
    Process child =
        Tool.java(List.of("-Xmx64m"), Child.class, directory.toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("printed.txt").toFile())
            .start();
    await().atMost(PATIENCE).until(() -> Files.exists(file()) && sequence() > 4);
    return child;
  }

  private Path file() {
    return directory.resolve(report.host().id() + StatsFileWriter.SUFFIX);
  }

  private long sequence() throws IOException {
    return reader.read(file()).sequence();
  }

  @Test
  void aHostReportsWhileItsOwnHooksRun() throws Exception {
    Process child = start();
    try {
      child.destroy();
      await().atMost(PATIENCE).until(() -> reader.readHeader(file()).exitedCleanly());
      long before = sequence();
      await().atMost(PATIENCE).until(() -> sequence() > before + 20);
      assertThat(child.isAlive()).isTrue();
      await().atMost(PATIENCE).until(() -> StatsFileReader.isLocked(file()));
      Files.createFile(directory.resolve("go"));
      assertThat(child.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(StatsFileReader.isLocked(file())).isFalse();
      assertThat(reader.read(file()).exitedCleanly()).isTrue();
      assertThat(reader.read(file()).report()).isNotNull();
    } finally {
      child.destroyForcibly();
    }
  }

  @Test
  void aReportThatNeverEndsDoesNotChangeTheKindOfExit() throws Exception {
    Process child = start();
    try {
      Files.createFile(directory.resolve("stuck"));
      Files.createFile(directory.resolve("go"));
      child.destroy();
      assertThat(child.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(reader.read(file()).exitedCleanly()).isTrue();
      assertThat(reader.read(file()).report()).isNotNull();
    } finally {
      child.destroyForcibly();
    }
  }
}
