/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import java.util.List;

/** Where an exporter's figures come from. */
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

  /**
   * Returns how full the chunks of its pools are, where it can tell. Apart from the report since it
   * takes the locks of the arenas, which a scrape need not.
   */
  default List<CopyChunks> chunks() {
    return List.of();
  }
}
