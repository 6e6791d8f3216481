/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import java.nio.file.Path;

/**
 * Options for writing a host's stats file.
 *
 * @param directory directory of the file; created if it does not exist
 * @param isUserDirectory whether the directory is the user's own. Then it is created for its owner
 *     only, is refused if it belongs to another user, and all files of ended hosts except the
 *     newest few are removed. Otherwise no file is removed
 * @param maxBytes maximum size of the file
 * @param intervalMillis interval of the reports
 */
public record StatsFileOptions(
    Path directory, boolean isUserDirectory, int maxBytes, long intervalMillis) {
  private static final long DEFAULT_INTERVAL_MILLIS = 1_000;

  /** Returns options for a file of up to 4 MiB in this directory, written once a second. */
  public static StatsFileOptions in(Path directory) {
    return new StatsFileOptions(
        directory, false, StatsFileWriter.MAX_BYTES, DEFAULT_INTERVAL_MILLIS);
  }
}
