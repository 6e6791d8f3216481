/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

/** The counters of thread caches that are gone, so that totals never go back. */
final class RetiredCounters {
  private final long[] allocations;
  private final long[] deallocations;
  private long caches;
  private long requests;
  private long misses;
  private long remoteReleases;
  private long requestedBytes;
  private long trims;

  RetiredCounters(int sizeClasses) {
    this.allocations = new long[sizeClasses];
    this.deallocations = new long[sizeClasses];
  }

  long caches() {
    return caches;
  }

  void add(ThreadCache cache) {
    caches += cache.owner == null ? 0 : 1;
    trims += cache.trims;
    for (Bin bin : cache.bins) {
      if (bin != null) {
        allocations[bin.sizeClass] += bin.allocations;
        deallocations[bin.sizeClass] += bin.releases + bin.remoteReleases;
        requests += bin.allocations;
        misses += bin.misses;
        remoteReleases += bin.remoteReleases;
        requestedBytes += bin.requestedBytes;
      }
    }
  }

  void report(SnapshotBuilder snapshot) {
    for (int sizeClass = 0; sizeClass < allocations.length; sizeClass++) {
      snapshot.addClass(sizeClass, allocations[sizeClass], deallocations[sizeClass]);
    }
    snapshot.addCacheTotals(requests, misses, remoteReleases, requestedBytes, trims);
  }
}
