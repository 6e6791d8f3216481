/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.metrics;

/**
 * Identity of the series of a site.
 *
 * @param pool the copy's pool
 * @param memory {@code direct} or {@code heap}
 * @param site the site as it appears in labels
 */
record SiteKey(String pool, String memory, String site) {
  /**
   * Returns the same result as the method of a record, which would load many classes into the
   * host's JVM at the first call.
   */
  @Override
  public boolean equals(Object other) {
    return other instanceof SiteKey key
        && key.site.equals(site)
        && key.pool.equals(pool)
        && key.memory.equals(memory);
  }

  @Override
  public int hashCode() {
    return (31 * pool.hashCode() + memory.hashCode()) * 31 + site.hashCode();
  }
}
