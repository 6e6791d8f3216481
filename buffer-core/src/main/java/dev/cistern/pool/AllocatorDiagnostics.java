/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.leak.report.AllocationReport;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LifetimeReport;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.StackDetail;
import dev.cistern.stats.ChunkMap;
import dev.cistern.stats.PoolSnapshot;
import java.util.List;

/**
 * The statistics of an allocator with its own pools and leak detector, such as {@code
 * CisternAllocator} for Netty. An exporter reads them. It does not need this interface for the
 * library's own allocators. Thread-safe.
 */
public interface AllocatorDiagnostics {
  /** Returns a snapshot of each pool. There is one pool for each kind of memory. */
  List<PoolSnapshot> pools();

  /**
   * Returns whether the JVM counts the reserved bytes of its direct pool as direct buffers ({@code
   * java.nio:type=BufferPool,name=direct}).
   */
  default boolean isInJvmAccount() {
    return false;
  }

  /** Returns the use of the chunks of each pool. */
  List<ChunkMap> chunks();

  /**
   * Returns the leaks found so far. The report contains no failures of leak detection: those of the
   * whole process are in the exporter's pool {@code library}.
   *
   * @param detail the part of the stacks that the report contains
   */
  LeakReport leaks(StackDetail detail);

  /**
   * Returns the live profile: the bytes that each allocation site holds, and their age.
   *
   * @param detail the part of the stacks that the report contains
   */
  LiveReport live(StackDetail detail);

  /** Returns the lifetimes of released samples, one report for each kind of memory. */
  List<LifetimeReport> lifetimes();

  /**
   * Returns the allocation profile: the allocations of each stack since start. With all frames,
   * this takes some ten milliseconds for a full profile.
   *
   * @param detail the part of the stacks that the report contains
   */
  AllocationReport allocations(StackDetail detail);
}
