/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.memory.MemoryKind;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetric;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.buffer.CisternView;
import io.netty.buffer.PoolArenaMetric;
import io.netty.buffer.PoolChunkListMetric;
import io.netty.buffer.PoolChunkMetric;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocatorMetric;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What Netty's own allocators tell of themselves, in types of the JDK.
 *
 * <p>A row is the allocator's number in the order of sight, whether it is a pooled one, the kind of
 * memory, and the figures by the places below. What is read one after the other while others
 * allocate does not fit together exactly.
 */
final class ObservedAllocators {
  private static final int ARENAS = 0;
  private static final int CHUNK_BYTES = 1;
  private static final int RESERVED = 2;
  private static final int PINNED = 3;

  /** Pages of chunks that are in no run. */
  private static final int FREE = 4;

  private static final int HUGE = 5;
  private static final int ACTIVE = 6;

  /** Small, normal, huge; what the thread caches serve is not among them. */
  private static final int ALLOCATIONS = 7;

  private static final int DEALLOCATIONS = 10;

  /** From qInit to q100. */
  private static final int CHUNKS = 13;

  private static final int BANDS = 6;

  /** Of each arena, until the end. */
  private static final int THREAD_CACHES = CHUNKS + BANDS;

  private static final int COUNTERS = 2 * (CHUNKS - DEALLOCATIONS);

  /** The counters of instances as they were last read, by memory and number. */
  private static final Map<String, Map<Integer, long[]>> LAST = new HashMap<>();

  /** The counters of instances that are gone, by memory: else the sums would go back. */
  private static final Map<String, long[]> GONE = new HashMap<>();

  private ObservedAllocators() {}

  /**
   * The rows of all instances that are alive; then for each kind of memory the counters of those
   * that are gone, as that of number 0; then how often one was seen that found no place.
   */
  static synchronized Object[] read() {
    List<Object> rows = new ArrayList<>();
    Map<String, Map<Integer, long[]>> now = new HashMap<>();
    for (Allocators.Seen at : Allocators.seen()) {
      AbstractByteBufAllocator allocator = at.get();
      if (allocator instanceof PooledByteBufAllocator pooled) {
        PooledByteBufAllocatorMetric metric = pooled.metric();
        int chunkBytes = metric.chunkSize();
        addPooled(rows, now, at.number(), MemoryKind.DIRECT, chunkBytes, metric.directArenas());
        addPooled(rows, now, at.number(), MemoryKind.HEAP, chunkBytes, metric.heapArenas());
      } else if (allocator instanceof ByteBufAllocatorMetricProvider provider) {
        ByteBufAllocatorMetric metric = provider.metric();
        // woven, these tell of our memory too, which is shown by itself
        long direct = metric.usedDirectMemory() - CisternView.bytesOfOurs(allocator, true);
        long heap = metric.usedHeapMemory() - CisternView.bytesOfOurs(allocator, false);
        rows.add(adaptive(at.number(), MemoryKind.DIRECT, Math.max(0, direct)));
        rows.add(adaptive(at.number(), MemoryKind.HEAP, Math.max(0, heap)));
      }
    }
    bury(now);
    GONE.forEach((memory, counters) -> rows.add(gone(memory, counters)));
    rows.add(Allocators.dropped());
    return rows.toArray();
  }

  private static void addPooled(
      List<Object> rows,
      Map<String, Map<Integer, long[]>> now,
      int number,
      MemoryKind kind,
      int chunkBytes,
      List<PoolArenaMetric> arenas) {
    if (arenas.isEmpty()) {
      return;
    }
    long[] figures = new long[THREAD_CACHES + arenas.size()];
    figures[ARENAS] = arenas.size();
    figures[CHUNK_BYTES] = chunkBytes;
    for (int i = 0; i < arenas.size(); i++) {
      addArena(figures, arenas.get(i));
      figures[THREAD_CACHES + i] = arenas.get(i).numThreadCaches();
    }
    rows.add(new Object[] {number, true, kind.label(), figures});
    long[] counters = new long[COUNTERS];
    System.arraycopy(figures, ALLOCATIONS, counters, 0, COUNTERS);
    now.computeIfAbsent(kind.label(), any -> new HashMap<>()).put(number, counters);
  }

  private static void addArena(long[] figures, PoolArenaMetric arena) {
    long inChunks = 0;
    List<PoolChunkListMetric> lists = arena.chunkLists();
    for (int band = 0; band < lists.size() && band < BANDS; band++) {
      for (PoolChunkMetric chunk : lists.get(band)) {
        figures[CHUNKS + band]++;
        figures[FREE] += chunk.freeBytes();
        inChunks += chunk.chunkSize();
      }
    }
    long reserved = arena.numActiveBytes(); // by Netty's name for it
    figures[RESERVED] += reserved;
    figures[PINNED] += NettyObserver.pinned(arena);
    figures[HUGE] += Math.max(0, reserved - inChunks);
    figures[ACTIVE] += arena.numActiveAllocations();
    figures[ALLOCATIONS] += arena.numSmallAllocations();
    figures[ALLOCATIONS + 1] += arena.numNormalAllocations();
    figures[ALLOCATIONS + 2] += arena.numHugeAllocations();
    figures[DEALLOCATIONS] += arena.numSmallDeallocations();
    figures[DEALLOCATIONS + 1] += arena.numNormalDeallocations();
    figures[DEALLOCATIONS + 2] += arena.numHugeDeallocations();
  }

  /** All that the adaptive allocator tells. */
  private static Object[] adaptive(int number, MemoryKind kind, long reservedBytes) {
    long[] figures = new long[THREAD_CACHES];
    figures[RESERVED] = reservedBytes;
    return new Object[] {number, false, kind.label(), figures};
  }

  /** Adds what those counted that are no longer there; the others' are kept for the next time. */
  private static void bury(Map<String, Map<Integer, long[]>> now) {
    LAST.forEach(
        (memory, counters) -> {
          counters.keySet().removeAll(now.getOrDefault(memory, Map.of()).keySet());
          for (long[] last : counters.values()) {
            long[] sum = GONE.computeIfAbsent(memory, any -> new long[COUNTERS]);
            for (int i = 0; i < COUNTERS; i++) {
              sum[i] += last[i];
            }
          }
        });
    LAST.clear();
    LAST.putAll(now);
  }

  private static Object[] gone(String memory, long[] counters) {
    long[] figures = new long[THREAD_CACHES];
    System.arraycopy(counters, 0, figures, ALLOCATIONS, COUNTERS);
    return new Object[] {0, true, memory, figures};
  }
}
