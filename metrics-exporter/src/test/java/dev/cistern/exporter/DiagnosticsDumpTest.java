/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.grack.nanojson.JsonParser;
import dev.cistern.exporter.dump.DiagnosticsDump;
import dev.cistern.exporter.report.StatsSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiagnosticsDumpTest {
  private static final String NAME =
      "cistern-dump-"
          + ProcessHandle.current().pid()
          + "-"
          + Reports.HOST.id()
          + "-\\d{8}T\\d{6}[.]\\d{6}Z-";

  @TempDir Path directory;
  private final List<String> log = Collections.synchronizedList(new ArrayList<>());
  private final AtomicLong nanos = new AtomicLong();

  private DiagnosticsDump dump(int kept, StatsSource source) {
    return new DiagnosticsDump(directory, source, kept, log::add, nanos::get);
  }

  /** Returns the names of the files in a directory, without the lock file of the writer. */
  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.endsWith(".lock"))
          .sorted()
          .toList();
    }
  }

  @Test
  void itHoldsAllThatIsKnown() throws Exception {
    Path written = dump(5, Reports::host).write("Out of (direct) memory!");
    assertThat(written.getFileName().toString()).matches(NAME + "request-out-of-direct-memory-");
    assertThat(names(written))
        .containsExactly(
            "heap.pb.gz",
            "leaks.json",
            "leaks.txt",
            "live.json",
            "live.txt",
            "memory.txt",
            "metrics.txt",
            "verdict.txt");
    assertThat(written.resolve("verdict.txt")).content().startsWith("Verdict in shop");
    assertThat(written.resolve("memory.txt")).content().startsWith("Memory in shop");
    assertThat(written.resolve("metrics.txt")).content().contains("cistern_reserved_bytes{");
    assertThat(written.resolve("leaks.txt")).content().contains("AbstractByteBufAllocator.java");
    assertThat(written.resolve("live.txt")).content().contains("SUSPECT");
    for (String json : List.of("leaks.json", "live.json")) {
      assertThat(
              JsonParser.object().from(Files.readString(written.resolve(json))).getArray("pools"))
          .hasSize(1);
    }
    ProfileSchema.read(Files.readAllBytes(written.resolve("heap.pb.gz")));
  }

  @Test
  void onlyItsOwnerCanReadIt() throws Exception {
    assumeTrue(
        directory.getFileSystem().supportedFileAttributeViews().contains("posix"),
        "no POSIX permissions here");
    Path inner = directory.resolve("made/for/dumps");
    Path written = DiagnosticsDump.write(inner, Reports.host(), "test");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(inner)))
        .isEqualTo("rwx------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(written)))
        .isEqualTo("rwx------");
    for (String file : names(written)) {
      assertThat(
              PosixFilePermissions.toString(Files.getPosixFilePermissions(written.resolve(file))))
          .as(file)
          .isEqualTo("rw-------");
    }
  }

  @Test
  void onlyItsOwnerCanOpenTheFileThatItLocks() throws Exception {
    assumeTrue(
        directory.getFileSystem().supportedFileAttributeViews().contains("posix"),
        "no POSIX permissions here");
    Path written = dump(5, Reports::host).write("test");
    String process = ProcessHandle.current().pid() + "-" + Reports.HOST.id();
    Path lock = written.resolveSibling(".cistern-dump-" + process + ".lock");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(lock)))
        .isEqualTo("rw-------");
  }

  @Test
  void aFailureIsOneLineAndACounterAndLeavesNothing() throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "");
    DiagnosticsDump dump = new DiagnosticsDump(file, Reports::host, 5, log::add, nanos::get);
    assertThatThrownBy(() -> dump.write("test")).isInstanceOf(IOException.class);
    assertThat(dump.failures()).isEqualTo(1);
    assertThat(dump.written()).isZero();
    assertThat(log).singleElement().asString().contains(file.toString());
    assertThat(names(directory)).containsExactly("file");
  }

  @Test
  void aSourceThatFailsFailsTheDumpAndNothingElse() throws Exception {
    DiagnosticsDump dump =
        dump(
            5,
            () -> {
              throw new IllegalStateException("no report");
            });
    assertThat(dump.writeSoon("test")).isTrue();
    await().atMost(20, TimeUnit.SECONDS).until(() -> dump.failures() == 1 && !log.isEmpty());
    assertThat(log).singleElement().asString().contains("no report");
    assertThat(names(directory)).isEmpty();
  }

  @Test
  void automaticDumpsAreAtLeastAMinuteApart() throws Exception {
    AtomicInteger reads = new AtomicInteger();
    DiagnosticsDump dump =
        dump(
            5,
            () -> {
              reads.incrementAndGet();
              return Reports.host();
            });
    assertThat(dump.writeSoon("first")).isTrue();
    await().atMost(20, TimeUnit.SECONDS).until(() -> log.size() == 1);
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(59));
    for (int i = 0; i < 1_000; i++) {
      assertThat(dump.writeSoon("more")).isFalse();
    }
    assertThat(dump.skipped()).isEqualTo(1_000);
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
    // The thread of the first dump may still run.
    await().atMost(20, TimeUnit.SECONDS).until(() -> dump.writeSoon("second"));
    await().atMost(20, TimeUnit.SECONDS).until(() -> dump.written() == 2);
    assertThat(reads.get()).isEqualTo(2);
    assertThat(names(directory)).hasSize(2);
  }

  @Test
  void onRequestADumpIsAlwaysWritten() throws Exception {
    DiagnosticsDump dump = dump(5, Reports::host);
    dump.write("a");
    dump.write("b");
    assertThat(names(directory)).hasSize(2);
    assertThat(dump.skipped()).isZero();
  }

  @Test
  void fewerThanOneCannotBeKept() {
    assertThatThrownBy(() -> dump(0, Reports::host))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("kept: 0");
  }
}
