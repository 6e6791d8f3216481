/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.stats.PoolFigure;
import dev.cistern.stats.PoolShape;

/**
 * The counters of thread caches that are gone, so that totals never go back. Guarded by the lock of
 * {@link ThreadCaches}.
 */
final class RetiredCounters {
  private final SnapshotBuilder releases;
  private final SnapshotBuilder allocations;

  RetiredCounters(PoolShape shape) {
    this.releases = new SnapshotBuilder(shape);
    this.allocations = new SnapshotBuilder(shape);
  }

  /** Takes in a cache that nobody uses any more. */
  void add(ThreadCache cache) {
    releases.addReleases(cache);
    allocations.addAllocationsOfRetired(cache);
    if (cache.owner != null) {
      allocations.add(PoolFigure.THREAD_CACHES_GIVEN_UP, 1);
    }
  }

  void reportReleases(SnapshotBuilder snapshot) {
    snapshot.addAll(releases);
  }

  void reportAllocations(SnapshotBuilder snapshot) {
    snapshot.addAll(allocations);
  }
}
