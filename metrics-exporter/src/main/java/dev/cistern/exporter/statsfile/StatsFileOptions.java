/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import java.nio.file.Path;

/**
 * Where and how a host's stats file is written.
 *
 * @param directory where
 * @param isUserDirectory whether the directory is the user's own: it is made if it is not there, for
 *     its owner only, is refused if it is another's, and files of hosts that are gone are removed
 *     from it but for the newest few. Else it is made if it is not there, and nothing is removed
 * @param maxBytes the most that the file may grow to
 * @param intervalMillis how often a report is written
 */
public record StatsFileOptions(
    Path directory, boolean isUserDirectory, int maxBytes, long intervalMillis) {
  private static final long DEFAULT_INTERVAL_MILLIS = 1_000;

  /** In this directory, of up to 4 MiB, once a second. */
  public static StatsFileOptions in(Path directory) {
    return new StatsFileOptions(
        directory, false, StatsFileWriter.MAX_BYTES, DEFAULT_INTERVAL_MILLIS);
  }
}
