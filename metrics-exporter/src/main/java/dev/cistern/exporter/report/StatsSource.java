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
   * thread, also by several at a time.
   */
  HostReport report();

  /**
   * As {@link #report}, for whoever sums up by site: stacks may have no frames, only their site,
   * and leaks no last uses.
   */
  default HostReport sites() {
    return report();
  }

  /** Returns whether the source keeps a history itself now; otherwise an endpoint records one. */
  default boolean hasHistory() {
    return false;
  }

  /** Returns the last hour if the source keeps it, otherwise null. */
  default @Nullable History history() {
    return null;
  }

  /**
   * Returns what each stack has allocated since start, by pool, where it can tell. Apart from the
   * report since it looks up stacks, which a scrape need not.
   */
  default Map<String, AllocationReport> allocations() {
    return Map.of();
  }

  /**
   * Returns how full the chunks of its pools are, where it can tell. Apart from the report since it
   * takes the locks of the arenas, which a scrape need not.
   */
  default List<CopyChunks> chunks() {
    return List.of();
  }

  /**
   * Returns the report with the resident memory of the process measured now, page by page. That
   * takes some milliseconds for each GiB.
   */
  default HostReport measured() {
    return report();
  }
}
