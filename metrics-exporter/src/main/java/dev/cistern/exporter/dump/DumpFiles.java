/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.dump;

import dev.cistern.exporter.http.ZippedBody;
import dev.cistern.exporter.metrics.CisternCollector;
import dev.cistern.exporter.metrics.SeriesOptions;
import dev.cistern.exporter.profile.HeapProfile;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.statsfile.UserDirectory;
import dev.cistern.exporter.view.LeaksJson;
import dev.cistern.exporter.view.LeaksText;
import dev.cistern.exporter.view.LiveJson;
import dev.cistern.exporter.view.LiveText;
import dev.cistern.exporter.view.MemoryText;
import dev.cistern.exporter.view.ReportOptions;
import dev.cistern.exporter.view.VerdictText;
import dev.cistern.leak.report.AllocationReport;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;

/**
 * Operations on the files of dumps. A dump has a temporary name until it is complete. Only its
 * owner can read it.
 */
final class DumpFiles {
  private static final List<String> FILES =
      List.of(
          "verdict.txt",
          "memory.txt",
          "metrics.txt",
          "leaks.txt",
          "leaks.json",
          "live.txt",
          "live.json",
          "heap.pb.gz");

  private DumpFiles() {}

  /**
   * Writes a dump.
   *
   * @param directory created if it does not exist
   * @param name see {@link DumpName}
   * @param allocations allocations of each stack, by pool; empty if they are not known
   * @throws IOException if the dump could not be written; then no part of it remains
   */
  static Path write(
      Path directory, String name, HostView report, Map<String, AllocationReport> allocations)
      throws IOException {
    if (!Files.isDirectory(directory)) {
      Files.createDirectories(directory, UserDirectory.permissions(directory, "rwx------"));
    }
    Path unfinished = directory.resolve(DumpName.unfinished(name));
    Files.createDirectory(unfinished, UserDirectory.permissions(directory, "rwx------"));
    try {
      writeAll(unfinished, report, allocations);
      return Files.move(unfinished, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | RuntimeException | Error e) {
      removeQuietly(unfinished, e);
      throw e;
    }
  }

  private static void writeAll(
      Path dump, HostView report, Map<String, AllocationReport> allocations) throws IOException {
    write(dump.resolve("verdict.txt"), out -> VerdictText.write(report, ReportOptions.FULL, out));
    write(dump.resolve("memory.txt"), out -> MemoryText.write(report, ReportOptions.FULL, out));
    write(dump.resolve("metrics.txt"), out -> writeMetrics(report, out));
    write(dump.resolve("leaks.txt"), out -> LeaksText.write(report, ReportOptions.FULL, out));
    write(dump.resolve("leaks.json"), out -> LeaksJson.write(report, ReportOptions.FULL, out));
    write(dump.resolve("live.txt"), out -> LiveText.write(report, ReportOptions.FULL, out));
    write(dump.resolve("live.json"), out -> LiveJson.write(report, ReportOptions.FULL, out));
    write(
        dump.resolve("heap.pb.gz"),
        out -> out.write(HeapProfile.gzipped(report, allocations, false)));
  }

  /**
   * Writes a file without a channel or {@link Files}, because those copy the data through direct
   * memory.
   */
  private static void write(Path file, ZippedBody.Content content) throws IOException {
    Files.createFile(file, UserDirectory.permissions(file, "rw-------"));
    try (OutputStream out = new BufferedOutputStream(new FileOutputStream(file.toFile()))) {
      content.write(out);
    }
  }

  private static void writeMetrics(HostView report, OutputStream out) throws IOException {
    MetricSnapshots metrics =
        CisternCollector.ofHosts(() -> List.of(report), SeriesOptions.DEFAULT).collect();
    PrometheusTextFormatWriter.create().write(out, metrics, EscapingScheme.UNDERSCORE_ESCAPING);
  }

  /** Removes the files of a dump; a directory that contains other files stays. */
  static void remove(Path dump) throws IOException {
    for (String file : FILES) {
      Files.deleteIfExists(dump.resolve(file));
    }
    try {
      Files.deleteIfExists(dump);
    } catch (DirectoryNotEmptyException e) {
      // The directory contains other files.
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
