/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stats;

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
 * @param residentBytes resident part of its direct memory in bytes, up to {@code reservedBytes};
 *     {@link #UNKNOWN} if it is not known, and for heap memory
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
    List<Long> threadCaches,
    long residentBytes) {
  /** A value of {@link #residentBytes()} if it is not known. */
  public static final long UNKNOWN = -1;

  /** Copies the lists, and limits each part to the whole. */
  public NettyAllocatorReport {
    allocations = List.copyOf(allocations);
    deallocations = List.copyOf(deallocations);
    chunks = List.copyOf(chunks);
    threadCaches = List.copyOf(threadCaches);
    reservedBytes = Math.max(0, reservedBytes);
    pinnedBytes = Math.max(0, Math.min(pinnedBytes, reservedBytes));
    freePageBytes = Math.max(0, Math.min(freePageBytes, reservedBytes - pinnedBytes));
    residentBytes = residentBytes < 0 ? UNKNOWN : Math.min(residentBytes, reservedBytes);
  }

  /** A name that tells it from the copy's others, and stays the same while it lives. */
  public String name() {
    return (isPooled ? "pooled-" : "adaptive-") + number;
  }

  /** Whether it is an instance that lives. */
  public boolean isAlive() {
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

  private static long sum(List<Long> figures) {
    return figures.stream().flatMapToLong(LongStream::of).sum();
  }
}
