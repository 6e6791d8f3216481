/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.metrics;

import dev.cistern.exporter.report.SiteLabel;
import dev.cistern.leak.report.LeakEntry;
import io.prometheus.metrics.model.snapshots.Exemplar;
import io.prometheus.metrics.model.snapshots.Labels;
import org.jspecify.annotations.Nullable;

/**
 * The leak that a site, or all the rest of them, had last.
 *
 * @param site its site
 * @param bytes what it asked for
 * @param foundMillis when it was found, milliseconds since the epoch; 0 if there is none
 */
public record LatestLeak(String site, long bytes, long foundMillis) {
  /** No leak. */
  static final LatestLeak NONE = new LatestLeak("", 0, 0);

  static LatestLeak of(LeakEntry entry) {
    return new LatestLeak(entry.site(), entry.latest().requestedBytes(), entry.lastSeenMillis());
  }

  /** The later of the two. */
  LatestLeak or(LatestLeak other) {
    return other.foundMillis > foundMillis ? other : this;
  }

  /**
   * For a counter of leaks. Hashes only: one exemplar serves those who may not know names, too. Not
   * made before it is asked for, since a hash takes longer than all else of a site.
   */
  public @Nullable Exemplar exemplar() {
    return foundMillis <= 0 // of no leak, or of a clock that is wrong: no format has such a time
        ? null
        : Exemplar.builder()
            .value((double) bytes)
            .labels(Labels.of("site_hash", SiteLabel.hashOfSite(site)))
            .timestampMillis(foundMillis)
            .build();
  }
}
