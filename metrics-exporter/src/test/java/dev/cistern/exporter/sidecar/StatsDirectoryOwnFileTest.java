/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.exporter.SidecarReports;
import dev.cistern.exporter.report.HostIdentity;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.HostView.State;
import dev.cistern.exporter.sidecar.PostMortemStore.Retention;
import dev.cistern.exporter.statsfile.StatsFileOptions;
import dev.cistern.exporter.statsfile.StatsFilePublisher;
import dev.cistern.exporter.statsfile.StatsFileReader;
import dev.cistern.exporter.statsfile.StatsFileWriter;
import dev.cistern.testing.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that opens and closes its own stats file, which makes POSIX release its lock. */
class StatsDirectoryOwnFileTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration DEATH_LIMIT = Duration.ofSeconds(5);
  private static final int MINUTE_MILLIS = 60_000;

  private final List<String> log = new CopyOnWriteArrayList<>();
  @TempDir private Path folder;
  @TempDir private Path kept;
  private PostMortemStore store;
  private StatsDirectory directory;

  /** A process that reads its own file for each byte of input, and responds with a byte. */
  public static final class Child {
    private Child() {}

    /** Runs until the end of its input. */
    public static void main(String[] arguments) throws IOException {
      Path folder = Path.of(arguments[0]);
      HostIdentity host = SidecarReports.host(1);
      StatsFilePublisher unused =
          StatsFilePublisher.start(
              new StatsFileOptions(folder, false, StatsFileWriter.MAX_BYTES, MINUTE_MILLIS),
              () -> SidecarReports.report(host, System.currentTimeMillis(), 1),
              host,
              System.err::println);
      while (System.in.read() >= 0) {
        System.out.write(Files.readAllBytes(file(folder)).length > 0 ? 'r' : 'e');
        System.out.flush();
      }
    }
  }

  private static Path file(Path folder) {
    return folder.resolve(SidecarReports.host(1).id() + StatsFileWriter.SUFFIX);
  }

  @BeforeEach
  void open() throws IOException {
    long hour = TimeUnit.HOURS.toMillis(1);
    store =
        new PostMortemStore(
            kept, new Retention(hour, 1 << 20, hour), log::add, System::currentTimeMillis);
    store.open();
    directory = new StatsDirectory(folder, store, log::add, System::currentTimeMillis);
  }

  private Process start() throws IOException {
    Process child =
        Tool.java(List.of("-Xmx64m"), Child.class, folder.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    await().atMost(PATIENCE).until(() -> states().equals(List.of(State.UP)));
    return child;
  }

  private List<State> states() {
    return directory.all().stream().map(HostView::state).toList();
  }

  private static void readOwnFile(Process child) throws IOException {
    child.getOutputStream().write('r');
    child.getOutputStream().flush();
    assertThat(child.getInputStream().read()).isEqualTo('r');
  }

  private long heartbeatMillis() throws IOException {
    return new StatsFileReader().readHeader(file(folder)).heartbeatMillis();
  }

  /** The process writes a heartbeat each second, even if its interval is longer. */
  @Test
  void aProcessThatReadsItsOwnFileIsUpAndLocksItAgain() throws Exception {
    Process child = start();
    try {
      for (int round = 0; round < 2; round++) {
        readOwnFile(child);
        await()
            .atMost(PATIENCE)
            .until(
                () -> {
                  assertThat(states()).containsExactly(State.UP);
                  return StatsFileReader.isLocked(file(folder));
                });
      }
      assertThat(log).isEmpty();
    } finally {
      child.destroyForcibly().waitFor();
    }
  }

  @Test
  void itsDeathIsSeenWithinFiveSecondsWithItsLastHeartbeat() throws Exception {
    Process child = start();
    try {
      readOwnFile(child);
      assertThat(states()).containsExactly(State.UP);
    } finally {
      child.destroyForcibly().waitFor();
    }
    long last = heartbeatMillis();
    await().atMost(DEATH_LIMIT).until(() -> states().equals(List.of(State.DIED)));
    assertThat(store.all()).singleElement().matches(found -> found.heartbeatMillis() == last);
    assertThat(log).singleElement().asString().contains("has died");
  }
}
