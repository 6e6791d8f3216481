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

  /** What is to be added: made ready first, where that fails nothing has been added. */
  private final SnapshotBuilder nextReleases;

  private final SnapshotBuilder nextAllocations;

  RetiredCounters(PoolShape shape) {
    this.releases = new SnapshotBuilder(shape);
    this.allocations = new SnapshotBuilder(shape);
    this.nextReleases = new SnapshotBuilder(shape);
    this.nextAllocations = new SnapshotBuilder(shape);
  }

  /** Takes in a cache that nobody uses any more: all of its counters, or none. */
  void add(ThreadCache cache) {
    nextReleases.clear();
    nextReleases.addReleases(cache);
    nextAllocations.clear();
    nextAllocations.addAllocationsOfRetired(cache);
    if (cache.owner != null) {
      nextAllocations.add(PoolFigure.THREAD_CACHES_GIVEN_UP, 1);
    }
    releases.addBoth(nextReleases, allocations, nextAllocations, cache);
  }

  void reportReleases(SnapshotBuilder snapshot) {
    snapshot.addAll(releases);
  }

  void reportAllocations(SnapshotBuilder snapshot) {
    snapshot.addAll(allocations);
  }
}
