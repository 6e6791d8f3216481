/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

/**
 * Figures of the writing of a host's stats file.
 *
 * @param writes number of reports that were written
 * @param failures number of failed writes
 * @param bytes size of the file; 0 if there is none
 * @param rowsDropped number of rows and stacks that the last report left out to fit into the file
 */
public record StatsFileReport(long writes, long failures, long bytes, long rowsDropped) {
  /** Report of a host that writes no stats file. */
  public static final StatsFileReport NONE = new StatsFileReport(0, 0, 0, 0);
}
