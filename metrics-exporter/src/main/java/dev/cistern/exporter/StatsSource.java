/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

/** Where an exporter's figures come from. */
@FunctionalInterface
public interface StatsSource {
  /**
   * Returns the state of the host at one moment. Called once for each scrape or page, by any
   * thread, also by several at a time.
   */
  HostReport report();
}
