/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.leak.ByteSampler;
import dev.cistern.stats.ChunkMap;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.PoolStat;
import dev.cistern.stats.SubpageStats;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * The counters of a pool that belong to no cache, and the source of snapshots of all statistics.
 */
final class PoolReport {
  private final BufferPool pool;
  private final Arena[] arenas;
  private final PoolRegions regions;
  private final ThreadCaches caches;
  private final SharedCaches shared;

  final UncachedReleases uncachedReleases;
  final LongAdder failedAllocations = new LongAdder();
  final LongAdder samples = new LongAdder();
  final LongAdder failedSamples = new LongAdder();

  PoolReport(BufferPool pool, PoolRegions regions, ThreadCaches caches, SharedCaches shared) {
    this.pool = pool;
    this.arenas = pool.arenas;
    this.regions = regions;
    this.caches = caches;
    this.shared = shared;
    this.uncachedReleases = new UncachedReleases(arenas.length, pool.sizeClasses.count());
  }

  PoolSnapshot snapshot(SnapshotBuilder snapshot) {
    StackRoom.require(); // otherwise a lock might not be released
    uncachedReleases.report(snapshot); // releases before allocations
    caches.report(snapshot);
    pool.extents.report(snapshot);
    long orphaned = 0;
    for (Arena arena : arenas) {
      arena.report(snapshot);
      for (Orphans orphans : arena.orphans) {
        orphaned += orphans.size();
      }
    }
    snapshot.set(PoolStat.ORPHANED_SUBPAGES, orphaned);
    snapshot.set(PoolStat.USED_BYTES, regions.usedBytes());
    snapshot.set(PoolStat.LIMIT_BYTES, regions.limitBytes());
    regions.report(snapshot);
    snapshot.set(PoolStat.FAILED_ALLOCATIONS, failedAllocations.sum());
    snapshot.set(PoolStat.SHARED_CACHE_WAITS, shared.waits());
    snapshot.set(PoolStat.SAMPLES, samples.sum());
    snapshot.set(PoolStat.FAILED_SAMPLES, failedSamples.sum());
    snapshot.set(PoolStat.SAMPLE_INTERVAL_BYTES, pool.sampling.meanBytes());
    snapshot.set(PoolStat.LARGEST_SAMPLE_INTERVAL_BYTES, largestSampleInterval());
    return snapshot.build();
  }

  private long largestSampleInterval() {
    long largest = pool.sampling.meanBytes();
    List<ThreadCache> all = caches.all();
    all.addAll(shared.all());
    for (ThreadCache cache : all) {
      largest = Math.max(largest, cache.sampler.intervalBytes());
    }
    return largest;
  }

  /** Returns the usage of the chunks; holds the lock of one arena at a time. */
  ChunkMap chunkMap() {
    StackRoom.require();
    int[][] cells = new int[arenas.length][];
    int[] notListed = new int[arenas.length];
    int room = ChunkMap.MAX_LISTED;
    for (int i = 0; i < arenas.length; i++) {
      int[] listed = new int[room / (arenas.length - i)]; // later arenas get the unused part
      int chunks = arenas[i].listChunks(listed);
      cells[i] = Arrays.copyOf(listed, Math.min(chunks, listed.length));
      notListed[i] = chunks - cells[i].length;
      room -= cells[i].length;
    }
    return new ChunkMap(pool.layout.memory(), cells, notListed);
  }

  List<SubpageStats> subpages(int arena) {
    StackRoom.require();
    List<SubpageStats> stats = new ArrayList<>();
    for (SlotGroup group : arenas[arena].groups()) {
      if (group.isSubpage()) {
        stats.add(group.stats());
      }
    }
    return stats;
  }

  /** Reports a sample to the front end. */
  void sampled(Object bound, int requestedBytes, long weightBytes, ByteSampler sampler) {
    long startNanos = sampler.nanos();
    try {
      pool.binder().sampled(bound, requestedBytes, weightBytes);
      OomRetry.increment(samples);
    } catch (RuntimeException | Error notWatched) {
      OomRetry.increment(failedSamples); // the slot is already allocated: the caller must get it
    }
    sampler.spentSince(startNanos);
  }
}
