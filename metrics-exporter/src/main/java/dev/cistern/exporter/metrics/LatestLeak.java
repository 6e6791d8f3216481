/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.metrics;

import dev.cistern.exporter.report.SiteLabel;
import dev.cistern.leak.report.LeakEntry;
import io.prometheus.metrics.model.snapshots.Exemplar;
import io.prometheus.metrics.model.snapshots.Labels;
import org.jspecify.annotations.Nullable;

/**
 * The latest leak of a site, or of all sites in {@code other}.
 *
 * @param site the site of the leak
 * @param bytes requested size in bytes
 * @param foundMillis when the leak was found, in milliseconds since the epoch; 0 if there is none
 */
public record LatestLeak(String site, long bytes, long foundMillis) {
  /** No leak. */
  static final LatestLeak NONE = new LatestLeak("", 0, 0);

  static LatestLeak of(LeakEntry entry) {
    return new LatestLeak(entry.site(), entry.latest().requestedBytes(), entry.lastSeenMillis());
  }

  /** Returns the later of the two leaks. */
  LatestLeak or(LatestLeak other) {
    return other.foundMillis > foundMillis ? other : this;
  }

  /**
   * Returns an exemplar for a counter of leaks; null if there is none. It has a hash of the site,
   * because clients that may not see names get the same exemplar. It is created on demand, because
   * computing the hash takes longer than everything else for a site.
   */
  public @Nullable Exemplar exemplar() {
    return foundMillis <= 0 // no leak, or a wrong clock: no format has such a time
        ? null
        : Exemplar.builder()
            .value((double) bytes)
            .labels(Labels.of("site_hash", SiteLabel.hashOfSite(site)))
            .timestampMillis(foundMillis)
            .build();
  }
}
