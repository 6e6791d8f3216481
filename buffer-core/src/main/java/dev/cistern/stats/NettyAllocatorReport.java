/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stats;

import java.util.List;
import java.util.stream.LongStream;

/**
 * The metrics of one of Netty's own allocators, for one kind of memory. Netty reads its metrics one
 * after the other, so they are consistent only while no thread allocates or releases. An adaptive
 * allocator only reports its reserved bytes; all other values are 0.
 *
 * @param number number of the instance in the order in which the instances of the copy were seen,
 *     from 1; 0 for the sum of the counters of collected instances
 * @param isPooled true for a pooled allocator, false for an adaptive one
 * @param memory {@code direct} or {@code heap}
 * @param arenas number of arenas
 * @param chunkSizeBytes bytes of a chunk; 0 for an adaptive allocator, whose chunks have different
 *     sizes
 * @param reservedBytes bytes of chunks and huge buffers
 * @param pinnedBytes bytes of buffers in use, rounded up to their slots or runs
 * @param freePageBytes bytes of pages outside runs
 * @param hugeBytes bytes of buffers larger than a chunk
 * @param activeAllocations number of allocations from arenas that were not returned to them: in
 *     use, or in a thread cache
 * @param allocations numbers of small, normal and huge allocations from arenas, without those that
 *     a thread cache served
 * @param deallocations numbers of small, normal and huge deallocations to arenas, without those to
 *     a thread cache
 * @param chunks number of chunks by band, from qInit to q100
 * @param threadCaches number of thread caches by arena
 * @param residentBytes resident bytes of its direct memory, up to {@code reservedBytes}; {@link
 *     #UNKNOWN} if unknown, and for heap memory
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
  /** The value of {@link #residentBytes()} if it is unknown. */
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

  /**
   * Returns a name that is unique in the copy, and does not change during the life of the instance.
   */
  public String name() {
    return (isPooled ? "pooled-" : "adaptive-") + number;
  }

  /** Returns whether this is an instance that the garbage collector has not collected. */
  public boolean isAlive() {
    return number > 0;
  }

  /**
   * Returns the reserved bytes that are neither known to be in use nor known to be free: slots in
   * thread caches, and free slots of subpages. For an adaptive allocator, these are all bytes.
   */
  public long cachedBytes() {
    return reservedBytes - pinnedBytes - freePageBytes;
  }

  /** Returns the number of thread caches of all arenas. */
  public long allThreadCaches() {
    return sum(threadCaches);
  }

  private static long sum(List<Long> figures) {
    return figures.stream().flatMapToLong(LongStream::of).sum();
  }
}
