/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

import dev.cistern.leak.report.AllocationReport;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Source of an exporter's figures. */
@FunctionalInterface
public interface StatsSource {
  /**
   * Returns the state of the host at one moment. Called once for each scrape or page, by any
   * thread, and by several threads concurrently.
   */
  HostReport report();

  /**
   * Returns the same as {@link #report}, for callers that sum up by site: stacks may have only
   * their site and no frames, and leaks no last uses.
   */
  default HostReport sites() {
    return report();
  }

  /** Returns whether the source itself keeps a history now; otherwise an endpoint records one. */
  default boolean hasHistory() {
    return false;
  }

  /** Returns the last hour if the source keeps it, otherwise null. */
  default @Nullable History history() {
    return null;
  }

  /**
   * Returns the allocations of each stack since start, by pool, if they are known. They are not
   * part of the report, because looking up stacks would slow down scrapes.
   */
  default Map<String, AllocationReport> allocations() {
    return Map.of();
  }

  /**
   * Returns the fill levels of the chunks of its pools, if they are known. They are not part of the
   * report, because a scrape should not take the locks of the arenas.
   */
  default List<CopyChunks> chunks() {
    return List.of();
  }

  /**
   * Returns the report with a new measurement of the resident memory of the process, page by page.
   * The measurement takes some milliseconds for each GiB.
   */
  default HostReport measured() {
    return report();
  }
}
