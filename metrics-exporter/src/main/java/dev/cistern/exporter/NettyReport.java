/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import java.util.ArrayList;
import java.util.List;

/**
 * What the own allocators of a copy of Netty tell, where it is observed.
 *
 * @param allocators a part for each instance and kind of memory, in the order in which instances
 *     were seen; the part with the number 0 is that of all that are gone
 * @param dropped times that an instance was seen that found no place, since too many are alive
 * @param bypassing allocator classes of other libraries that take memory from the arenas by methods
 *     of their own, which are neither served nor observed; known in each mode
 */
public record NettyReport(List<NettyAllocatorReport> allocators, long dropped, long bypassing) {
  /** Of a copy that is not observed. */
  public static final NettyReport NONE = new NettyReport(List.of(), 0, 0);

  /** Copies the list. */
  public NettyReport {
    allocators = List.copyOf(allocators);
  }

  /**
   * Reads what a bridge sent in types of the JDK: a row for each part, and the number of those
   * dropped.
   *
   * @throws ClassCastException if it has another form
   */
  public static NettyReport decode(Object[] sent) {
    List<NettyAllocatorReport> parts = new ArrayList<>();
    for (int i = 0; i < sent.length - 1; i++) {
      parts.add(NettyAllocatorReport.decode((Object[]) sent[i]));
    }
    return new NettyReport(parts, (Long) sent[sent.length - 1], 0);
  }

  /** The same with a number of allocator classes that are not served. */
  public NettyReport withBypassing(long classes) {
    return new NettyReport(allocators, dropped, classes);
  }

  /** The parts of one kind of memory. */
  List<NettyAllocatorReport> of(String memory) {
    return allocators.stream().filter(part -> part.memory().equals(memory)).toList();
  }

  /** Instances that are alive. */
  long instances() {
    return allocators.stream()
        .mapToInt(NettyAllocatorReport::number)
        .filter(number -> number > 0)
        .distinct()
        .count();
  }
}
