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
 */
public record NettyReport(
    List<NettyAllocatorReport> allocators,
    long dropped,
    List<AllocatorInfo> inventory,
    @Nullable Limit direct) {
  /** Report of a copy without known allocators. */
  public static final NettyReport NONE = new NettyReport(List.of(), 0, List.of(), null);

  /**
   * Limit of a kind of memory, as Netty counts it.
   *
   * @param bytes the limit
   * @param usedBytes bytes that are counted against it
   */
  public record Limit(long bytes, long usedBytes) {}

  /** Copies the lists. */
  public NettyReport {
    allocators = List.copyOf(allocators);
    inventory = List.copyOf(inventory);
  }

  /** Returns the same with another inventory. */
  public NettyReport withInventory(List<AllocatorInfo> other) {
    return new NettyReport(allocators, dropped, other, direct);
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
