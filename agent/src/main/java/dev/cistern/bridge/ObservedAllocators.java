/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.memory.MemoryKind;
import dev.cistern.stats.NettyAllocatorReport;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetric;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.buffer.CisternMemoryMetrics;
import io.netty.buffer.CisternObserver;
import io.netty.buffer.PoolArenaMetric;
import io.netty.buffer.PoolChunkListMetric;
import io.netty.buffer.PoolChunkMetric;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocatorMetric;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The statistics of Netty's own allocators. Other threads allocate during a read, so the values are
 * not an exact snapshot.
 */
final class ObservedAllocators {
  private static final List<Long> NO_COUNTS = List.of(0L, 0L, 0L);

  /** Number of usage bands, from qInit to q100. */
  private static final int BANDS = 6;

  private static final List<Long> NO_CHUNKS = List.of(0L, 0L, 0L, 0L, 0L, 0L);

  /** The pooled instances as they were last read, by memory and number. */
  private static Map<String, NettyAllocatorReport> last = Map.of();

  /** The counters of collected instances, by memory, so that the sums do not decrease. */
  private static final Map<String, NettyAllocatorReport> COLLECTED = new HashMap<>();

  private ObservedAllocators() {}

  /** Returns all live instances; then the counters of the collected ones, with the number 0. */
  static synchronized List<NettyAllocatorReport> read() {
    List<NettyAllocatorReport> parts = new ArrayList<>();
    for (KnownAllocators.Known at : KnownAllocators.seen()) {
      AbstractByteBufAllocator allocator = at.used();
      if (allocator instanceof PooledByteBufAllocator pooled) {
        PooledByteBufAllocatorMetric metric = pooled.metric();
        int chunkBytes = metric.chunkSize();
        addPooled(parts, at.number(), MemoryKind.DIRECT, chunkBytes, metric.directArenas());
        addPooled(parts, at.number(), MemoryKind.HEAP, chunkBytes, metric.heapArenas());
      } else if (allocator instanceof ByteBufAllocatorMetricProvider provider) {
        ByteBufAllocatorMetric metric = provider.metric();
        // if they are instrumented, these values include Cistern's memory, which has its own series
        long direct = metric.usedDirectMemory() - CisternMemoryMetrics.poolBytes(allocator, true);
        long heap = metric.usedHeapMemory() - CisternMemoryMetrics.poolBytes(allocator, false);
        parts.add(adaptive(at.number(), MemoryKind.DIRECT, direct));
        parts.add(adaptive(at.number(), MemoryKind.HEAP, heap));
      }
    }
    addToCollected(parts);
    parts.addAll(COLLECTED.values());
    return parts;
  }

  private static void addPooled(
      List<NettyAllocatorReport> parts,
      int number,
      MemoryKind kind,
      int chunkBytes,
      List<PoolArenaMetric> arenas) {
    if (arenas.isEmpty()) {
      return;
    }
    long free = 0;
    long huge = 0;
    long reserved = 0;
    Long[] chunks = NO_CHUNKS.toArray(new Long[0]);
    for (PoolArenaMetric arena : arenas) {
      long inChunks = 0;
      List<PoolChunkListMetric> lists = arena.chunkLists();
      for (int band = 0; band < lists.size() && band < BANDS; band++) {
        for (PoolChunkMetric chunk : lists.get(band)) {
          chunks[band]++;
          free += chunk.freeBytes();
          inChunks += chunk.chunkSize();
        }
      }
      long active = arena.numActiveBytes(); // Netty's name for reserved bytes
      reserved += active;
      huge += Math.max(0, active - inChunks);
    }
    parts.add(
        new NettyAllocatorReport(
            number,
            true,
            kind.label(),
            arenas.size(),
            chunkBytes,
            reserved,
            sum(arenas, CisternObserver::pinnedBytes),
            free,
            huge,
            sum(arenas, PoolArenaMetric::numActiveAllocations),
            List.of(
                sum(arenas, PoolArenaMetric::numSmallAllocations),
                sum(arenas, PoolArenaMetric::numNormalAllocations),
                sum(arenas, PoolArenaMetric::numHugeAllocations)),
            List.of(
                sum(arenas, PoolArenaMetric::numSmallDeallocations),
                sum(arenas, PoolArenaMetric::numNormalDeallocations),
                sum(arenas, PoolArenaMetric::numHugeDeallocations)),
            List.of(chunks),
            arenas.stream().map(arena -> (long) arena.numThreadCaches()).toList(),
            kind == MemoryKind.DIRECT
                ? ChunkResidency.residentBytes(number, reserved, huge)
                : NettyAllocatorReport.UNKNOWN));
  }

  private static long sum(List<PoolArenaMetric> arenas, ToLongFunction<PoolArenaMetric> value) {
    return arenas.stream().mapToLong(value).sum();
  }

  private static NettyAllocatorReport adaptive(int number, MemoryKind kind, long reservedBytes) {
    return new NettyAllocatorReport(
        number,
        false,
        kind.label(),
        0,
        0,
        reservedBytes,
        0,
        0,
        0,
        0,
        NO_COUNTS,
        NO_COUNTS,
        NO_CHUNKS,
        List.of(),
        NettyAllocatorReport.UNKNOWN);
  }

  /** Adds the last counters of the instances that were collected. */
  private static void addToCollected(List<NettyAllocatorReport> parts) {
    Map<String, NettyAllocatorReport> now = new LinkedHashMap<>();
    for (NettyAllocatorReport part : parts) {
      if (part.isPooled()) {
        now.put(part.memory() + part.number(), part);
      }
    }
    for (Map.Entry<String, NettyAllocatorReport> part : last.entrySet()) {
      if (!now.containsKey(part.getKey())) {
        String memory = part.getValue().memory();
        COLLECTED.put(memory, collected(part.getValue(), COLLECTED.get(memory)));
      }
    }
    last = now;
  }

  private static NettyAllocatorReport collected(
      NettyAllocatorReport part, @Nullable NettyAllocatorReport sum) {
    return new NettyAllocatorReport(
        0,
        true,
        part.memory(),
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        plus(part.allocations(), sum == null ? NO_COUNTS : sum.allocations()),
        plus(part.deallocations(), sum == null ? NO_COUNTS : sum.deallocations()),
        NO_CHUNKS,
        List.of(),
        NettyAllocatorReport.UNKNOWN);
  }

  private static List<Long> plus(List<Long> counts, List<Long> others) {
    List<Long> sums = new ArrayList<>();
    for (int i = 0; i < counts.size(); i++) {
      sums.add(counts.get(i) + others.get(i));
    }
    return sums;
  }
}
