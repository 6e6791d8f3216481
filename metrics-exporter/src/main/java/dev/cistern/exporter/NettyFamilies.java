/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import dev.cistern.stats.Band;
import dev.cistern.stats.NettyAllocatorReport;
import dev.cistern.stats.NettyReport;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.SizeGroup;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * What Netty's own allocators of a copy add to a scrape. Memory, arenas and chunks have the names
 * that our pools have, summed up over all allocators and a pool of ours that is still there from an
 * earlier mode; Netty's counters mean something else than ours, and have names of their own.
 */
final class NettyFamilies {
  /** Instances with series of their own, the first that were seen; the rest are one. */
  static final int INSTANCES = 8;

  /** Stands for the instances without series of their own. */
  private static final String OTHER = "other";

  private final NettyReport report;
  private final String pool;

  NettyFamilies(NettyReport report, String pool) {
    this.report = report;
    this.pool = pool;
  }

  /** The figures of one kind of memory, or their sum with those of a pool of ours. */
  long sum(
      String memory,
      ToLongFunction<NettyAllocatorReport> figure,
      List<PoolSnapshot> pools,
      ToLongFunction<PoolSnapshot> ours) {
    return report.of(memory).stream().mapToLong(figure).sum()
        + pools.stream().filter(own -> own.memory().equals(memory)).mapToLong(ours).sum();
  }

  /** Adds all; those that a pool of ours has, too, as sums with {@code pools}. */
  void addTo(Families to, List<PoolSnapshot> pools) {
    to.add(Metric.NETTY_ALLOCATORS, report.instances(), pool);
    for (String memory : List.of("direct", "heap")) {
      if (!report.of(memory).isEmpty()) {
        addMemory(to, memory, pools);
        addArenas(to, memory, pools);
        addInstances(to, memory);
      }
    }
  }

  private void addMemory(Families to, String memory, List<PoolSnapshot> pools) {
    to.add(
        Metric.RESERVED_BYTES,
        sum(memory, NettyAllocatorReport::reservedBytes, pools, PoolSnapshot::reservedBytes),
        pool,
        memory);
    to.add(
        Metric.PINNED_BYTES,
        sum(memory, NettyAllocatorReport::pinnedBytes, pools, PoolSnapshot::pinnedBytes),
        pool,
        memory);
    to.add(
        Metric.CACHED_BYTES,
        sum(memory, NettyAllocatorReport::cachedBytes, pools, PoolSnapshot::cachedBytes),
        pool,
        memory);
    to.add(
        Metric.FREE_BYTES,
        sum(memory, NettyAllocatorReport::freePageBytes, pools, PoolSnapshot::freeBytes),
        pool,
        memory);
    to.add(
        Metric.HUGE_RESERVED_BYTES,
        sum(memory, NettyAllocatorReport::hugeBytes, pools, PoolSnapshot::hugeReservedBytes),
        pool,
        memory);
    to.add(
        Metric.HUGE_PINNED_BYTES,
        sum(memory, NettyAllocatorReport::hugeBytes, pools, PoolSnapshot::hugePinnedBytes),
        pool,
        memory);
  }

  private void addArenas(Families to, String memory, List<PoolSnapshot> pools) {
    to.add(
        Metric.THREAD_CACHES,
        sum(memory, NettyAllocatorReport::allThreadCaches, pools, PoolSnapshot::threadCaches),
        pool,
        memory);
    to.add(
        Metric.ARENAS,
        sum(memory, NettyAllocatorReport::arenas, pools, PoolSnapshot::arenas),
        pool,
        memory);
    addChunkSize(to, memory, pools);
    for (Band band : Band.values()) {
      long chunks =
          sum(memory, part -> part.chunks().get(band.ordinal()), pools, own -> own.chunks(band));
      to.add(Metric.CHUNKS, chunks, pool, memory, band.label());
    }
    for (SizeGroup group : SizeGroup.values()) {
      int at = group.ordinal();
      long allocated = sum(memory, part -> part.allocations().get(at), List.of(), own -> 0);
      to.add(Metric.NETTY_ARENA_ALLOCATIONS, allocated, pool, memory, group.label());
      long given = sum(memory, part -> part.deallocations().get(at), List.of(), own -> 0);
      to.add(Metric.NETTY_ARENA_DEALLOCATIONS, given, pool, memory, group.label());
    }
  }

  /** That of our pool, where one is left, is shown with it. */
  private void addChunkSize(Families to, String memory, List<PoolSnapshot> pools) {
    long largest =
        report.of(memory).stream().mapToLong(NettyAllocatorReport::chunkSizeBytes).max().orElse(0);
    if (largest > 0 && pools.stream().noneMatch(own -> own.memory().equals(memory))) {
      to.add(Metric.CHUNK_SIZE_BYTES, largest, pool, memory);
    }
  }

  private void addInstances(Families to, String memory) {
    List<NettyAllocatorReport> alive =
        report.of(memory).stream().filter(NettyAllocatorReport::isAlive).toList();
    int shown = Math.min(INSTANCES, alive.size());
    for (NettyAllocatorReport part : alive.subList(0, shown)) {
      addInstance(to, List.of(part), part.isPooled(), memory, part.name());
    }
    if (shown < alive.size()) {
      addInstance(to, alive.subList(shown, alive.size()), true, memory, OTHER);
    }
  }

  private void addInstance(
      Families to,
      List<NettyAllocatorReport> parts,
      boolean tellsPinned,
      String memory,
      String name) {
    long reserved = parts.stream().mapToLong(NettyAllocatorReport::reservedBytes).sum();
    to.add(Metric.NETTY_ALLOCATOR_RESERVED_BYTES, reserved, pool, memory, name);
    if (tellsPinned) {
      long pinned = parts.stream().mapToLong(NettyAllocatorReport::pinnedBytes).sum();
      to.add(Metric.NETTY_ALLOCATOR_PINNED_BYTES, pinned, pool, memory, name);
    }
  }
}
