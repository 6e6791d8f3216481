/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stats;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The allocators of a Netty copy, and their metrics if the copy is observed.
 *
 * @param allocators a part for each instance and kind of memory, in the order in which instances
 *     were seen, if the copy is observed; the part with number 0 is the sum of all collected
 *     instances
 * @param dropped number of times that an instance was seen and not added, because too many are
 *     alive
 * @param inventory the allocators that were seen, in each mode
 * @param direct the limit of its direct memory if the copy is observed; null if it is unknown
 * @param directMemory its native memory, in each mode
 * @param channels its channels, if the copy is served or observed
 */
public record NettyReport(
    List<NettyAllocatorReport> allocators,
    long dropped,
    List<AllocatorInfo> inventory,
    @Nullable Limit direct,
    DirectMemory directMemory,
    ChannelReport channels) {
  /** The report of a copy without known allocators. */
  public static final NettyReport NONE = new NettyReport(List.of(), 0, List.of(), null);

  /**
   * The limit of a kind of memory, as Netty counts it.
   *
   * @param bytes the limit
   * @param usedBytes bytes that count against the limit
   */
  public record Limit(long bytes, long usedBytes) {}

  /**
   * The native memory of a copy. Its parts are read one after the other, while other threads
   * allocate.
   *
   * @param unpooledBytes bytes of the direct buffers that Netty allocates without a pool, 0 or
   *     more, including the memory of allocators that were never seen
   * @param inJvmAccountBytes bytes that the JVM counts too ({@code
   *     java.nio:type=BufferPool,name=direct}), 0 or more: of Netty's pooled, adaptive and unpooled
   *     buffers, and of Cistern's pool for them
   * @param pooledBytes reserved bytes of Netty's own pooled and adaptive allocators, 0 or more
   */
  public record DirectMemory(long unpooledBytes, long inJvmAccountBytes, long pooledBytes) {
    /** A value without memory. */
    public static final DirectMemory NONE = new DirectMemory(0, 0, 0);

    /** Replaces negative values by 0. */
    public DirectMemory {
      unpooledBytes = Math.max(0, unpooledBytes);
      inJvmAccountBytes = Math.max(0, inJvmAccountBytes);
      pooledBytes = Math.max(0, pooledBytes);
    }
  }

  /** Copies the lists. */
  public NettyReport {
    allocators = List.copyOf(allocators);
    inventory = List.copyOf(inventory);
  }

  /** Creates a report without native memory and channels. */
  public NettyReport(
      List<NettyAllocatorReport> allocators,
      long dropped,
      List<AllocatorInfo> inventory,
      @Nullable Limit direct) {
    this(allocators, dropped, inventory, direct, DirectMemory.NONE, ChannelReport.NONE);
  }

  /** Returns a copy with another inventory. */
  public NettyReport withInventory(List<AllocatorInfo> other) {
    return new NettyReport(allocators, dropped, other, direct, directMemory, channels);
  }

  /** Returns the parts of one kind of memory. */
  public List<NettyAllocatorReport> of(String memory) {
    return allocators.stream().filter(part -> part.memory().equals(memory)).toList();
  }

  /** Returns the number of instances that are alive. */
  public long instances() {
    return allocators.stream()
        .mapToInt(NettyAllocatorReport::number)
        .filter(number -> number > 0)
        .distinct()
        .count();
  }
}
