/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The dumps in one directory. Each is written under another name, and renamed once it is whole. */
final class DumpFiles {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSSSSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private static final Pattern NAME =
      Pattern.compile(
          "(?<dot>[.]?)cistern-dump-\\d+-(?<time>\\d{8}T\\d{6}[.]\\d{6}Z)-[a-z0-9-]{1,40}([.]tmp)?");

  private static final List<String> FILES =
      List.of("metrics.txt", "leaks.txt", "leaks.json", "live.txt", "live.json", "heap.pb.gz");

  private static final int MAX_REASON = 40;

  /** No process writes one dump for longer. */
  private static final Duration UNFINISHED_LIMIT = Duration.ofHours(1);

  private final Path directory;
  private final int kept;

  /** A dump of ours, with the time in its name. */
  private record Dump(Path path, String time) {}

  DumpFiles(Path directory, int kept) {
    this.directory = directory;
    this.kept = kept;
  }

  Path directory() {
    return directory;
  }

  Path write(HostReport report, String reason) throws IOException {
    if (!Files.isDirectory(directory)) {
      Files.createDirectories(directory, ownerOnly("rwx------"));
    }
    long pid = ProcessHandle.current().pid();
    String name = "cistern-dump-" + pid + "-" + TIME.format(Instant.now()) + "-" + word(reason);
    Path unfinished =
        Files.createDirectory(directory.resolve("." + name + ".tmp"), ownerOnly("rwx------"));
    try {
      writeAll(unfinished, report);
      return Files.move(unfinished, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | RuntimeException | Error e) {
      removeQuietly(unfinished, e);
      throw e;
    }
  }

  /** A reason as part of a file's name. */
  private static String word(String reason) {
    String word = reason.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    String cut = word.substring(0, Math.min(MAX_REASON, word.length()));
    return cut.isEmpty() ? "none" : cut;
  }

  private FileAttribute<?>[] ownerOnly(String permissions) {
    boolean posix = directory.getFileSystem().supportedFileAttributeViews().contains("posix");
    return posix
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }

  private void writeAll(Path dump, HostReport report) throws IOException {
    write(dump.resolve("metrics.txt"), out -> writeMetrics(report, out));
    write(dump.resolve("leaks.txt"), out -> LeaksText.write(report, View.FULL, out));
    write(dump.resolve("leaks.json"), out -> LeaksJson.write(report, View.FULL, out));
    write(dump.resolve("live.txt"), out -> LiveText.write(report, View.FULL, out));
    write(dump.resolve("live.json"), out -> LiveJson.write(report, View.FULL, out));
    write(dump.resolve("heap.pb.gz"), out -> out.write(HeapProfile.gzipped(report)));
  }

  /** Not by a channel, nor by {@link Files}: those copy what they write through direct memory. */
  private void write(Path file, ZippedBody.Content content) throws IOException {
    Files.createFile(file, ownerOnly("rw-------"));
    try (OutputStream out = new BufferedOutputStream(new FileOutputStream(file.toFile()))) {
      content.write(out);
    }
  }

  private static void writeMetrics(HostReport report, OutputStream out) throws IOException {
    MetricSnapshots metrics = new CisternCollector(() -> report).collect();
    PrometheusTextFormatWriter.create().write(out, metrics, EscapingScheme.UNDERSCORE_ESCAPING);
  }

  /**
   * Removes the oldest of the dumps that are ours by their names, and what a process left that
   * ended while it wrote; everything else stays.
   */
  void removeOldest() throws IOException {
    String longAgo = TIME.format(Instant.now().minus(UNFINISHED_LIMIT));
    List<Dump> dumps = new ArrayList<>();
    for (Path entry : directories()) {
      Matcher name = NAME.matcher(entry.getFileName().toString());
      if (!name.matches()) {
        continue;
      }
      if (name.group("dot").isEmpty()) {
        dumps.add(new Dump(entry, name.group("time")));
      } else if (name.group("time").compareTo(longAgo) < 0) {
        remove(entry);
      }
    }
    dumps.sort(Comparator.comparing(Dump::time));
    for (Dump dump : dumps.subList(0, Math.max(0, dumps.size() - kept))) {
      remove(dump.path());
    }
  }

  private List<Path> directories() throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.filter(e -> Files.isDirectory(e, LinkOption.NOFOLLOW_LINKS)).toList();
    }
  }

  /** Removes what a dump consists of; a directory in which somebody keeps more stays. */
  private static void remove(Path dump) throws IOException {
    for (String file : FILES) {
      Files.deleteIfExists(dump.resolve(file));
    }
    try {
      Files.deleteIfExists(dump);
    } catch (DirectoryNotEmptyException e) {
      // Somebody put notes there.
    }
  }

  private static void removeQuietly(Path unfinished, Throwable reason) {
    try {
      remove(unfinished);
    } catch (IOException | RuntimeException e) {
      reason.addSuppressed(e);
    }
  }
}
