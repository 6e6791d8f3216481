/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.exporter.Reports;
import dev.cistern.exporter.report.HostIdentity;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.testing.Tool;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The choice of dumps to keep and to remove. */
@Timeout(90)
class DumpRetentionTest {
  private static final String REASON = "out-of-direct-memory";

  @TempDir Path directory;
  private final List<String> log = Collections.synchronizedList(new ArrayList<>());
  private final AtomicLong nanos = new AtomicLong();

  private DiagnosticsDump dump(int kept) {
    return dump(kept, Reports.HOST.id());
  }

  private DiagnosticsDump dump(int kept, String hostId) {
    return new DiagnosticsDump(directory, () -> report(hostId), kept, log::add, nanos::get);
  }

  private static HostReport report(String hostId) {
    HostIdentity host = new HostIdentity(hostId, "shop", "", "", 1, "0.1.0", Reports.NOON_MILLIS);
    return new HostReport(host, Reports.NOON_MILLIS, 1, List.of());
  }

  /** Writes an automatic dump as if direct memory had run out, and returns it. */
  private Path exhaust(DiagnosticsDump dump) throws IOException {
    List<Path> before = dumps();
    long written = dump.written();
    int lines = log.size();
    nanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
    // The thread of the dump before may still run.
    await().until(() -> dump.writeSoon(REASON));
    await().until(() -> dump.written() == written + 1 && log.size() > lines);
    List<Path> added = dumps();
    added.removeAll(before);
    assertThat(added).as(log.toString()).hasSize(1);
    return added.get(0);
  }

  private List<Path> dumps() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return new ArrayList<>(
          files
              .filter(file -> file.getFileName().toString().startsWith("cistern-dump-"))
              .sorted()
              .toList());
    }
  }

  private Path left(String process, String time) throws IOException {
    Path dump =
        Files.createDirectory(
            directory.resolve("cistern-dump-" + process + "-" + time + "Z-auto-" + REASON));
    Files.writeString(dump.resolve("leaks.txt"), "");
    return dump;
  }

  @Test
  void aStormKeepsTheDumpOfItsOnsetAndTheLatest() throws Exception {
    DiagnosticsDump dump = dump(2);
    List<Path> written = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      written.add(exhaust(dump));
    }
    assertThat(dumps()).containsExactly(written.get(0), written.get(4), written.get(5));
    assertThat(dump.removed()).isEqualTo(3);
    assertThat(dump.failures()).isZero();
    // Another instance in the same process.
    DiagnosticsDump another = dump(1);
    List<Path> later = List.of(exhaust(another), exhaust(another), exhaust(another));
    assertThat(dumps()).containsExactly(written.get(0), later.get(0), later.get(2));
  }

  @Test
  void dumpsOnRequestAndThoseOfAStormDoNotReplaceEachOther() throws Exception {
    DiagnosticsDump dump = dump(2);
    Path onset = exhaust(dump);
    List<Path> requested = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      requested.add(dump.write("jmx"));
    }
    assertThat(dumps()).containsExactly(onset, requested.get(2), requested.get(3));
    List<Path> later = List.of(exhaust(dump), exhaust(dump), exhaust(dump));
    assertThat(dumps())
        .containsExactlyInAnyOrder(
            onset, requested.get(2), requested.get(3), later.get(1), later.get(2));
  }

  @Test
  void dumpsOfOtherProcessesStay() throws Exception {
    List<Path> others =
        List.of(
            left("1-00000000000000aa", "20200101T000000.000000"),
            left("1-00000000000000aa", "20200101T000100.000000"),
            left("1-00000000000000aa", "20200101T000200.000000"),
            left("1-00000000000000bb", "20200101T000000.000000"),
            // Names of earlier versions.
            left("1", "20200101T000000.000000"),
            left(String.valueOf(ProcessHandle.current().pid()), "20200101T000000.000000"));
    DiagnosticsDump dump = dump(1);
    for (int i = 0; i < 4; i++) {
      dump.write("test");
    }
    assertThat(others).allMatch(Files::exists);
    assertThat(dumps()).hasSize(others.size() + 1);
  }

  @Test
  void theTenEndedProcessesWithTheLatestDumpsKeepAllOfTheirDumps() throws Exception {
    List<Path> gone = new ArrayList<>();
    List<Path> kept = new ArrayList<>();
    // A dump from a wrong clock does not count as the latest forever.
    gone.add(left("1-00000000000000ff", "29990101T000000.000000"));
    gone.add(left("7", "20200101T000000.000000"));
    gone.add(left("7", "20200109T000000.000000"));
    for (int i = 10; i < 22; i++) {
      // Each container begins with the same process ID.
      String process = "1-00000000000000" + i;
      List<Path> of = i < 12 ? gone : kept;
      of.add(left(process, "20200101T000000.0000" + i));
      of.add(left(process, "202002" + i + "T000000.000000"));
      Files.createFile(directory.resolve(".cistern-dump-" + process + ".lock"));
    }
    Files.createFile(directory.resolve(".cistern-dump-1-00000000000000ee.lock"));
    DiagnosticsDump dump = dump(1);
    dump.write("test");
    Path own = dump.write("test"); // this dump finds locks without dumps
    assertThat(kept).allMatch(Files::exists);
    assertThat(gone).noneMatch(Files::exists);
    assertThat(dumps()).contains(own).hasSize(kept.size() + 1);
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.filter(file -> file.toString().endsWith(".lock"))).hasSize(11);
    }
  }

  @Test
  void aProcessThatRunsKeepsItsDumpsUntilItEnds() throws Exception {
    Process process =
        Tool.java(List.of("-Xmx64m", "-XX:+UseSerialGC"), Running.class, directory.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    DiagnosticsDump another = dump(1, "00000000000000dd");
    Path here = renamed(another.write("test"), "20000101T000000.000000");
    DiagnosticsDump dump = dump(1);
    Path there;
    Path later;
    try (BufferedReader printed = process.inputReader(StandardCharsets.UTF_8)) {
      there = renamed(Path.of(printed.readLine()), "20000101T000000.000000");
      for (int i = 10; i < 22; i++) {
        left("1-00000000000000" + i, "20100101T000000.000000");
      }
      for (int i = 0; i < 2; i++) {
        assertThat(dump.write("test")).exists();
        assertThat(there).exists();
        assertThat(here).exists();
        assertThat(dumps()).hasSize(3 + 10);
      }
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
      later = renamed(Path.of(printed.readLine()), "20000102T000000.000000");
      assertThat(here).exists();
    } finally {
      process.destroyForcibly().waitFor();
    }
    assertThat(dump.write("test")).exists();
    assertThat(there).doesNotExist();
    assertThat(later).doesNotExist();
    assertThat(here).exists();
  }

  private Path renamed(Path dump, String time) throws IOException {
    String name = dump.getFileName().toString();
    String renamed = name.replaceFirst("-\\d{8}T\\d{6}[.]\\d{6}Z-", "-" + time + "Z-");
    return Files.move(dump, directory.resolve(renamed));
  }

  /** A process that writes a dump at its start and for each byte of input. */
  static final class Running {
    private Running() {}

    public static void main(String[] arguments) throws IOException {
      DiagnosticsDump dump =
          new DiagnosticsDump(Path.of(arguments[0]), () -> report("00000000000000cc"));
      do {
        System.out.println(dump.write("test"));
      } while (System.in.read() >= 0);
    }
  }

  @Test
  void aClockThatWasSetBackCostsNeitherTheFirstNorTheLatest() throws Exception {
    String process = ProcessHandle.current().pid() + "-" + Reports.HOST.id();
    DiagnosticsDump dump = dump(2);
    Path first = exhaust(dump);
    Path earlier = left(process, "20000101T000000.000000");
    for (int i = 1; i < 6; i++) {
      left(process, "2999010" + i + "T000000.000000");
    }
    assertThat(exhaust(dump)).exists();
    assertThat(exhaust(dump)).exists();
    assertThat(first).exists();
    assertThat(earlier).exists();
    assertThat(dumps()).hasSize(4);
  }

  @Test
  void aDumpThatCannotBeRemovedIsCountedAndKeepsNoOther() throws Exception {
    List<Path> ended = new ArrayList<>();
    for (int i = 10; i < 24; i++) {
      ended.add(left("1-00000000000000" + i, "202001" + i + "T000000.000000"));
    }
    Path stubborn = ended.get(3).resolve("live.txt");
    Files.createDirectories(stubborn.resolve("a directory in place of a file"));
    DiagnosticsDump dump = dump(1);
    dump.write("test");
    assertThat(dump.failures()).isEqualTo(1);
    assertThat(log).singleElement().asString().contains(stubborn.toString());
    assertThat(ended.subList(0, 3)).noneMatch(Files::exists);
    assertThat(ended.subList(3, 14)).allMatch(Files::exists);
  }

  @Test
  void filesThatAreNotDumpsOfCisternStay() throws Exception {
    List<String> others =
        List.of(
            "cistern-dump-1-notatime-x",
            "cistern-dump-1-20200101T000000.000000Z-mine.txt",
            "notes",
            ".cistern-dump-1-29990101T000000.000000Z-still-written.tmp");
    for (String other : others) {
      Files.createDirectory(directory.resolve(other));
    }
    Files.writeString(directory.resolve("cistern-dump-1-20200101T000000.000000Z-file"), "");
    Path elsewhere = Files.createDirectory(directory.resolve("notes/kept"));
    Files.createSymbolicLink(
        directory.resolve("cistern-dump-2-20200101T000000.000000Z-link"), elsewhere);
    Path noted = left("3-00000000000000aa", "20200101T000000.000000");
    Files.writeString(noted.resolve("notes.txt"), "do not lose this");
    for (int i = 10; i < 20; i++) {
      left("1-00000000000000" + i, "20210101T000000.000000");
    }
    Path unfinished =
        Files.createDirectory(directory.resolve(".cistern-dump-1-20200101T000000.000000Z-x.tmp"));
    DiagnosticsDump dump = dump(1);
    dump.write("test");
    assertThat(unfinished).doesNotExist();
    assertThat(others).allMatch(other -> Files.exists(directory.resolve(other)));
    assertThat(noted.resolve("leaks.txt")).doesNotExist();
    assertThat(noted.resolve("notes.txt")).exists();
    assertThat(elsewhere).exists();
    assertThat(directory.resolve("cistern-dump-1-20200101T000000.000000Z-file")).exists();
    assertThat(log).isEmpty();
  }
}
