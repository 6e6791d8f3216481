/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cistern.exporter.Fixtures;
import dev.cistern.exporter.report.HostFigures;
import dev.cistern.exporter.report.HostIdentity;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.StatsFileReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatsFilePublisherTest {
  private static final long HOUR_MILLIS = 3_600_000;

  private final HostReport report = Fixtures.everything();
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final StatsFileReader reader = new StatsFileReader();
  @TempDir private Path directory;

  private StatsFileOptions options(Path at, boolean isUserDirectory) {
    return new StatsFileOptions(at, isUserDirectory, StatsFileWriter.MAX_BYTES, 10);
  }

  private StatsFile read() throws IOException {
    return reader.read(directory.resolve("own").resolve(report.host().id() + ".cistern"));
  }

  @Test
  void aSourceIsWrittenUntilItIsClosed() throws IOException {
    Path own = directory.resolve("own");
    StatsFilePublisher publisher =
        StatsFilePublisher.start(options(own, true), () -> report, report.host(), lines::add);
    await().until(() -> publisher.state().writes() > 3);
    publisher.close();
    StatsFile file = read();
    HostView read = Objects.requireNonNull(file.report());
    assertThat(read.copies()).isEqualTo(Fixtures.inFile(report).copies());
    assertThat(read.row().get(HostFigures.STATS_FILE_WRITES))
        .isEqualTo(publisher.state().writes() - 1);
    assertThat(file.exitedCleanly()).isTrue();
    assertThat(publisher.state().failures()).isZero();
    assertThat(lines).isEmpty();
    assertThat(Files.getPosixFilePermissions(own))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
  }

  @Test
  void newsIsWrittenBeforeTheEndOfTheInterval() throws IOException {
    StatsFileOptions hourly =
        new StatsFileOptions(
            directory.resolve("own"), true, StatsFileWriter.MAX_BYTES, (int) HOUR_MILLIS);
    try (StatsFilePublisher publisher =
        StatsFilePublisher.start(hourly, () -> report, report.host(), lines::add)) {
      for (int writes = 1; writes <= 3; writes++) {
        int expected = writes;
        await().until(() -> publisher.state().writes() == expected);
        publisher.writeSoon();
      }
      await().until(() -> publisher.state().writes() == 4);
    }
  }

  @Test
  void noWriteIsHurriedWithoutAFile() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    try (StatsFilePublisher publisher =
        StatsFilePublisher.start(options(file, false), () -> report, report.host(), lines::add)) {
      await().until(() -> publisher.state().failures() == 1);
      for (int i = 0; i < 100; i++) {
        publisher.writeSoon();
        LockSupport.parkNanos(1_000_000);
      }
      assertThat(publisher.state().failures()).isEqualTo(1);
    }
  }

  @Test
  void aSourceThatFailsIsCountedAndTheHostStillAlive() throws IOException {
    try (StatsFilePublisher publisher =
        StatsFilePublisher.start(
            options(directory.resolve("own"), false),
            () -> {
              throw new LinkageError("on purpose");
            },
            report.host(),
            lines::add)) {
      await().until(() -> publisher.state().failures() > 3);
      assertThat(lines).singleElement().asString().contains("on purpose", "Cistern continues");
      long now = System.currentTimeMillis();
      await().until(() -> read().heartbeatMillis() >= now);
      assertThat(read().report()).isNull();
    }
  }

  @Test
  void aPathThatIsNoDirectoryIsCounted() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    for (boolean isUserDirectory : new boolean[] {true, false}) {
      try (StatsFilePublisher publisher =
          StatsFilePublisher.start(
              options(file, isUserDirectory), () -> report, report.host(), lines::add)) {
        await().until(() -> publisher.state().failures() == 1);
        assertThat(publisher.state()).isEqualTo(new StatsFileReport(0, 1, 0, 0));
      }
    }
    assertThat(lines).hasSize(2);
  }

  @Test
  void aUserDirectoryThatIsALinkIsRefused() throws IOException {
    Path link = Files.createSymbolicLink(directory.resolve("link"), directory);
    assertThatThrownBy(() -> UserDirectory.makeForUser(link))
        .isInstanceOf(StatsFileException.class)
        .hasMessageContaining("is a link");
    Path own = directory.resolve("own");
    UserDirectory.makeForUser(own);
    UserDirectory.makeForUser(own);
    assertThat(own).isDirectory();
  }

  @Test
  void theDirectoryByDefaultHasTheUsersName() {
    assertThat(UserDirectory.byDefault().getFileName().toString())
        .startsWith("cistern-")
        .hasSizeGreaterThan("cistern-".length());
  }

  /** Writes the file of a host that was last alive at a time. */
  private Path dead(String id, long heartbeatMillis, boolean isClean) throws IOException {
    HostIdentity host = new HostIdentity(id, "", "", "", 1, "", 2);
    StatsFileWriter writer =
        StatsFileWriter.create(directory, host, StatsFileWriter.MIN_BYTES, 1_000);
    if (isClean) {
      writer.exitCleanly();
    } else {
      writer.close();
    }
    byte[] file = Files.readAllBytes(writer.path());
    Images.put(file, Layout.HEARTBEAT_MILLIS_AT, heartbeatMillis);
    return Files.write(writer.path(), file);
  }

  @Test
  void theNewestDeadFilesOfTheLastDayAndRecentDeathsStay() throws IOException {
    long now = System.currentTimeMillis();
    Path old = dead("00000000000000ff", now - 25 * HOUR_MILLIS, false);
    Path[] files = new Path[20];
    for (int i = 0; i < files.length; i++) {
      files[i] = dead(String.format("%016x", i), now - i * HOUR_MILLIS, i % 2 == 0);
    }
    Path[] late = new Path[20];
    for (int i = 0; i < late.length; i++) {
      late[i] = dead(String.format("%016x", 0x100 + i), now - 60_000 - i, false);
    }
    Path other = Files.writeString(directory.resolve("notes.txt"), "mine");
    Path stale = Files.writeString(directory.resolve("00000000000000ff.control"), "mode=off");
    Path sent = Files.writeString(directory.resolve("00000000000000ff.sidecar-control"), "");
    Path kept = Files.writeString(directory.resolve("0000000000000000.control"), "mode=off");
    Path link = Files.createSymbolicLink(directory.resolve("0000000000000077.cistern"), files[5]);
    DeadFiles.remove(directory, now);
    assertThat(old).doesNotExist();
    assertThat(stale).doesNotExist();
    assertThat(sent).doesNotExist();
    assertThat(kept).exists();
    for (int i = 0; i < files.length; i++) {
      assertThat(Files.exists(files[i])).as("file %d", i).isEqualTo(i == 0);
    }
    assertThat(late).allMatch(Files::exists);
    assertThat(other).exists();
    assertThat(Files.isSymbolicLink(link)).isTrue();
  }

  @Test
  void theNewestFilesStayIfThereAreFew() throws IOException {
    long now = System.currentTimeMillis();
    Path[] files = new Path[20];
    for (int i = 0; i < files.length; i++) {
      files[i] = dead(String.format("%016x", i), now - (i + 1) * HOUR_MILLIS, i % 2 == 0);
    }
    DeadFiles.remove(directory, now);
    for (int i = 0; i < files.length; i++) {
      assertThat(Files.exists(files[i])).as("file %d", i).isEqualTo(i < 16);
    }
  }

  @Test
  void theFileOfThisProcessStays() throws IOException {
    long now = System.currentTimeMillis();
    HostIdentity self = HostIdentity.ofThisProcess("", "", "", "");
    StatsFileWriter writer = StatsFileWriter.create(directory, self, 1 << 20, 1_000);
    writer.close(); // as if the locks were lost
    byte[] file = Files.readAllBytes(writer.path());
    Images.put(file, Layout.HEARTBEAT_MILLIS_AT, now - 48 * HOUR_MILLIS);
    Files.write(writer.path(), file);
    DeadFiles.remove(directory, now);
    assertThat(writer.path()).exists();
    Images.put(file, Layout.START_MILLIS_AT, now - 48 * HOUR_MILLIS);
    Files.write(writer.path(), file);
    DeadFiles.remove(directory, now);
    assertThat(writer.path()).doesNotExist();
  }

  @Test
  void anOldFileOfARunningHostStays() throws IOException {
    long now = System.currentTimeMillis();
    try (StatsFileWriter alive =
        StatsFileWriter.create(directory, report.host(), StatsFileWriter.MIN_BYTES, 1_000)) {
      DeadFiles.remove(directory, now + 48 * HOUR_MILLIS);
      assertThat(alive.path()).exists();
    }
    Path withoutLocks = dead("00000000000000aa", now, false);
    byte[] file = Files.readAllBytes(withoutLocks);
    Images.put(file, Layout.FLAGS_AT, 0);
    Files.write(withoutLocks, file);
    DeadFiles.remove(directory, now + 23 * HOUR_MILLIS);
    assertThat(withoutLocks).exists();
    DeadFiles.remove(directory, now + 48 * HOUR_MILLIS);
    assertThat(withoutLocks).doesNotExist();
  }
}
