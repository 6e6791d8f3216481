/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * What one of Netty's own allocators tells of one kind of memory. Netty reads its figures one after
 * the other, so that they fit together exactly only while nobody allocates or releases. An adaptive
 * allocator tells its reserved bytes only; all else is 0 there.
 *
 * @param number its place in the order in which the copy's instances were seen, from 1; 0 for those
 *     that are gone, of which only the counters are left
 * @param isPooled whether it is a pooled allocator; else an adaptive one
 * @param memory {@code direct} or {@code heap}
 * @param arenas its arenas
 * @param chunkSizeBytes bytes of a chunk; 0 of an adaptive allocator, whose chunks differ
 * @param reservedBytes bytes of its chunks and huge buffers
 * @param pinnedBytes bytes of buffers in use, rounded up to what serves them
 * @param freePageBytes bytes of pages that are in no run
 * @param hugeBytes bytes of buffers larger than a chunk
 * @param activeAllocations allocations from arenas that did not come back to them: in use, or in a
 *     thread cache
 * @param allocations allocations from arenas, small, normal and huge; those that a thread cache
 *     served are not among them
 * @param deallocations what came back to arenas, likewise
 * @param chunks chunks by band, from qInit to q100
 * @param threadCaches thread caches, by arena
 */
public record NettyAllocatorReport(
    int number,
    boolean isPooled,
    String memory,
    int arenas,
    long chunkSizeBytes,
    long reservedBytes,
    long pinnedBytes,
    long freePageBytes,
    long hugeBytes,
    long activeAllocations,
    List<Long> allocations,
    List<Long> deallocations,
    List<Long> chunks,
    List<Long> threadCaches) {
  private static final int SIZE_GROUPS = 3;
  private static final int BANDS = 6;

  /** Copies the lists. */
  public NettyAllocatorReport {
    allocations = List.copyOf(allocations);
    deallocations = List.copyOf(deallocations);
    chunks = List.copyOf(chunks);
    threadCaches = List.copyOf(threadCaches);
    reservedBytes = Math.max(0, reservedBytes);
    pinnedBytes = Math.max(0, Math.min(pinnedBytes, reservedBytes));
    freePageBytes = Math.max(0, Math.min(freePageBytes, reservedBytes - pinnedBytes));
  }

  /** Reads a row as the bridge sends it: number, whether pooled, memory, figures. */
  static NettyAllocatorReport decode(Object[] row) {
    long[] figures = (long[]) row[3];
    Reader from = new Reader(figures);
    return new NettyAllocatorReport(
        (Integer) row[0],
        (Boolean) row[1],
        (String) row[2],
        (int) from.next(),
        from.next(),
        from.next(),
        from.next(),
        from.next(),
        from.next(),
        from.next(),
        from.next(SIZE_GROUPS),
        from.next(SIZE_GROUPS),
        from.next(BANDS),
        from.next(figures.length - from.at));
  }

  /** Takes figures in their order. */
  private static final class Reader {
    private final long[] figures;
    private int at;

    Reader(long[] figures) {
      this.figures = figures;
    }

    long next() {
      return figures[at++];
    }

    List<Long> next(int count) {
      List<Long> taken = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        taken.add(next());
      }
      return taken;
    }
  }

  /** A name that tells it from the copy's others, and stays the same while it lives. */
  public String name() {
    return (isPooled ? "pooled-" : "adaptive-") + number;
  }

  /** Whether it is an instance that lives. */
  boolean isAlive() {
    return number > 0;
  }

  /**
   * Reserved bytes that are neither known to be in use nor known to be free: slots in thread
   * caches, and free slots of subpages; all bytes of an adaptive allocator.
   */
  public long cachedBytes() {
    return reservedBytes - pinnedBytes - freePageBytes;
  }

  /** Thread caches of all arenas. */
  public long allThreadCaches() {
    return sum(threadCaches);
  }

  static long sum(List<Long> figures) {
    return figures.stream().flatMapToLong(LongStream::of).sum();
  }
}
