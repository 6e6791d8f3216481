/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.sidecar;

import dev.cistern.exporter.statsfile.StatsFileWriter;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Detects a missing volume, or two different volumes of hosts and sidecar, and logs a message for
 * the operator.
 */
final class VolumeCheck {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final Path directory;
  private final Consumer<String> log;
  private final LongSupplier nanoTime;
  private final long startNanos;
  private boolean isDone;

  /**
   * Creates the check.
   *
   * @param directory directory of the hosts' stats files
   * @param log takes each message, once
   * @param nanoTime a clock such as {@link System#nanoTime}
   */
  VolumeCheck(Path directory, Consumer<String> log, LongSupplier nanoTime) {
    this.directory = directory;
    this.log = log;
    this.nanoTime = nanoTime;
    this.startNanos = nanoTime.getAsLong();
  }

  /** Logs at start if the file system is read-only, because then no file can be kept or removed. */
  void atStart(Path postMortems) {
    if (!Files.isWritable(postMortems)) {
      log.accept(
          "cannot write to postmortemDirectory = '"
              + postMortems
              + "': reports of hosts that have ended will not be kept; mount a volume there that this"
              + " user can write to");
    }
    if (Files.isDirectory(directory) && !Files.isWritable(directory)) {
      log.accept(
          "cannot write to statsDirectory = '"
              + directory
              + "': files of hosts that have ended will stay; mount the volume there that the hosts"
              + " write to");
    }
  }

  /** Looks for the first file of a host, until there is one or a minute is over. */
  void tick() {
    if (isDone) {
      return;
    }
    if (hasHost()) {
      isDone = true;
    } else if (nanoTime.getAsLong() - startNanos > PATIENCE_NANOS) {
      isDone = true;
      log.accept(
          "no JVM has written to statsDirectory = '"
              + directory
              + "' in the first minute: do hosts run with the agent, and is their statsDirectory"
              + " the same volume?");
    }
  }

  private boolean hasHost() {
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(directory, "[!.]*" + StatsFileWriter.SUFFIX)) {
      return files.iterator().hasNext();
    } catch (IOException e) {
      return false;
    }
  }
}
