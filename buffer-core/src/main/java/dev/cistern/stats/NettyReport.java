/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stats;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The allocators of a copy of Netty, and what they tell where it is observed.
 *
 * @param allocators where it is observed, a part for each instance and kind of memory, in the order
 *     in which instances were seen; the part with the number 0 is that of all that are gone
 * @param dropped times that an instance was seen that found no place, since too many are alive
 * @param inventory the allocators that were seen, in each mode
 * @param direct where it is observed, the limit of its direct memory; null if it is not known
 * @param directMemory its native memory, in each mode
 * @param channels its channels, where it is served or observed
 */
public record NettyReport(
    List<NettyAllocatorReport> allocators,
    long dropped,
    List<AllocatorInfo> inventory,
    @Nullable Limit direct,
    DirectMemory directMemory,
    ChannelReport channels) {
  /** Report of a copy without known allocators. */
  public static final NettyReport NONE = new NettyReport(List.of(), 0, List.of(), null);

  /**
   * Limit of a kind of memory, as Netty counts it.
   *
   * @param bytes the limit
   * @param usedBytes bytes that are counted against it
   */
  public record Limit(long bytes, long usedBytes) {}

  /**
   * Native memory of a copy. Its parts are read one after the other, while other threads allocate.
   *
   * @param unpooledBytes bytes of the direct buffers that Netty allocates without a pool, 0 or
   *     more; the memory of allocators that were never seen is among them
   * @param inJvmAccountBytes bytes that the JVM counts too ({@code
   *     java.nio:type=BufferPool,name=direct}), 0 or more: of Netty's pooled, adaptive and unpooled
   *     buffers, and of Cistern's pool for them
   * @param pooledBytes reserved bytes of Netty's own pooled and adaptive allocators, 0 or more
   */
  public record DirectMemory(long unpooledBytes, long inJvmAccountBytes, long pooledBytes) {
    /** No memory. */
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

  /** Returns the same with another inventory. */
  public NettyReport withInventory(List<AllocatorInfo> other) {
    return new NettyReport(allocators, dropped, other, direct, directMemory, channels);
  }

  /** The parts of one kind of memory. */
  public List<NettyAllocatorReport> of(String memory) {
    return allocators.stream().filter(part -> part.memory().equals(memory)).toList();
  }

  /** Instances that are alive. */
  public long instances() {
    return allocators.stream()
        .mapToInt(NettyAllocatorReport::number)
        .filter(number -> number > 0)
        .distinct()
        .count();
  }
}
