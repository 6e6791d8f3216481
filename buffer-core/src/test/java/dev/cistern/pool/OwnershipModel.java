/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.PoolStat;
import dev.cistern.stats.SizeClassStat;
import dev.cistern.stats.SizeGroup;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * A model of the bytes in use, and of the counters of a pool. Threads enter a range after they have
 * allocated it, and leave it before they release it. So no two entered ranges may share a byte.
 * Thread-safe.
 */
final class OwnershipModel {
  /** The class of an extent, which has no size class. */
  static final int HUGE = -1;

  private record Range(long start, long end, int sizeClass) {
    int bytes() {
      return (int) (end - start);
    }

    @Override
    public String toString() {
      return Long.toHexString(start) + " to " + Long.toHexString(end) + " of class " + sizeClass;
    }
  }

  private final ConcurrentSkipListMap<Long, Range> inUse = new ConcurrentSkipListMap<>();
  private final LongAdder[] allocations;
  private final LongAdder[] releases;
  private final LongAdder hugeAllocations = new LongAdder();
  private final LongAdder hugeReleases = new LongAdder();
  private final LongAdder requestedBytes = new LongAdder();
  private final LongAdder roundedBytes = new LongAdder();
  private final LongAdder refusals = new LongAdder();

  OwnershipModel(int sizeClasses) {
    this.allocations = adders(sizeClasses);
    this.releases = adders(sizeClasses);
  }

  private static LongAdder[] adders(int count) {
    return Stream.generate(LongAdder::new).limit(count).toArray(LongAdder[]::new);
  }

  /**
   * Records an allocated slot.
   *
   * @throws AssertionError if another thread uses a byte of it
   */
  void enter(long start, int slotBytes, int sizeClass, int requested) {
    Range range = new Range(start, start + slotBytes, sizeClass);
    Range same = inUse.putIfAbsent(start, range);
    if (same != null) {
      throw overlap(range, same);
    }
    // Checked after the entry: of two threads with overlapping ranges, at least one sees the
    // other's
    // range. Neighbours are enough, because the earlier ranges do not overlap.
    Map.Entry<Long, Range> below = inUse.lowerEntry(start);
    if (below != null && below.getValue().end > start) {
      throw overlap(range, below.getValue());
    }
    Map.Entry<Long, Range> above = inUse.higherEntry(start);
    if (above != null && above.getValue().start < range.end) {
      throw overlap(range, above.getValue());
    }
    (sizeClass == HUGE ? hugeAllocations : allocations[sizeClass]).increment();
    requestedBytes.add(requested);
    roundedBytes.add(slotBytes);
  }

  private static AssertionError overlap(Range allocated, Range existing) {
    return new AssertionError("overlap: " + allocated + " allocated, " + existing + " is in use");
  }

  /**
   * Records a slot that is about to be released.
   *
   * @throws AssertionError if no thread uses a range that starts there
   */
  void leave(long start) {
    Range range = inUse.remove(start);
    if (range == null) {
      throw new AssertionError("released a slot that is not in use: " + Long.toHexString(start));
    }
    (range.sizeClass == HUGE ? hugeReleases : releases[range.sizeClass]).increment();
  }

  /** Records that the pool refused a request. */
  void refused() {
    refusals.increment();
  }

  /**
   * Records a region that is about to be freed.
   *
   * @throws AssertionError if a thread uses a byte of it
   */
  void freeRegion(long start, long bytes) {
    Map.Entry<Long, Range> last = inUse.lowerEntry(start + bytes);
    if (last != null && last.getValue().end > start) {
      throw new AssertionError("region freed while in use: " + last.getValue());
    }
  }

  long allocations() {
    return hugeAllocations.sum() + sum(allocations);
  }

  long hugeAllocations() {
    return hugeAllocations.sum();
  }

  long refusals() {
    return refusals.sum();
  }

  long requestedBytes() {
    return requestedBytes.sum();
  }

  /** Returns the number of size classes that were never requested. */
  long unusedClasses() {
    return Stream.of(allocations).filter(count -> count.sum() == 0).count();
  }

  private static long sum(LongAdder[] counts) {
    long sum = 0;
    for (LongAdder count : counts) {
      sum += count.sum();
    }
    return sum;
  }

  /**
   * Compares a pool's statistics with the slots in use and the recorded operations; at rest.
   *
   * @throws AssertionError with the name of the statistic and the values of pool and model
   */
  void check(PoolSnapshot snapshot) {
    long[] usedSlots = new long[allocations.length];
    long usedBytes = 0;
    long hugeBytes = 0;
    for (Range range : inUse.values()) {
      usedBytes += range.bytes();
      if (range.sizeClass == HUGE) {
        hugeBytes += range.bytes();
      } else {
        usedSlots[range.sizeClass]++;
      }
    }
    for (int c = 0; c < allocations.length; c++) {
      long allocated = snapshot.get(SizeClassStat.ALLOCATIONS, c);
      long released = snapshot.get(SizeClassStat.DEALLOCATIONS, c);
      String name = " of " + snapshot.sizeClassBytes(c) + " bytes";
      require("allocations" + name, allocated, allocations[c].sum());
      require("releases" + name, released, releases[c].sum());
      require("slots in use" + name, allocated - released, usedSlots[c]);
    }
    require("huge allocations", snapshot.allocations(SizeGroup.HUGE), hugeAllocations.sum());
    require("huge releases", snapshot.deallocations(SizeGroup.HUGE), hugeReleases.sum());
    require("huge pinned bytes", snapshot.hugePinnedBytes(), hugeBytes);
    require("pinned bytes", snapshot.pinnedBytes(), usedBytes);
    require("requested bytes", snapshot.get(PoolStat.REQUESTED_BYTES_TOTAL), requestedBytes.sum());
    require("rounded bytes", snapshot.get(PoolStat.ROUNDED_BYTES_TOTAL), roundedBytes.sum());
    require("failed allocations", snapshot.failedAllocations(), refusals.sum());
    require("requests", snapshot.threadCacheRequests(), sum(allocations));
    require(
        "hits",
        snapshot.get(PoolStat.THREAD_CACHE_HITS),
        snapshot.threadCacheRequests() - snapshot.get(PoolStat.THREAD_CACHE_MISSES));
    require(
        "pinned + cached + free",
        snapshot.pinnedBytes() + snapshot.cachedBytes() + snapshot.freeBytes(),
        snapshot.reservedBytes());
  }

  private static void require(String figure, long pool, long model) {
    if (pool != model) {
      throw new AssertionError(figure + ": pool " + pool + ", model " + model);
    }
  }
}
