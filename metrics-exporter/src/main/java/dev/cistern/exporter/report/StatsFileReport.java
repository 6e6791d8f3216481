/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

/**
 * How the writing of a host's stats file goes.
 *
 * @param writes reports that were written
 * @param failures times that writing failed
 * @param bytes size of the file; 0 if there is none
 * @param rowsDropped rows and stacks that the last report left out, so that it fits into the file
 */
public record StatsFileReport(long writes, long failures, long bytes, long rowsDropped) {
  /** Report of a host that writes no stats file. */
  public static final StatsFileReport NONE = new StatsFileReport(0, 0, 0, 0);
}
