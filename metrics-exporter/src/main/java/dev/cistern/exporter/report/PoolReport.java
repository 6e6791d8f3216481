/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LifetimeReport;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.stats.NettyReport;
import dev.cistern.stats.PoolSnapshot;
import java.util.List;

/**
 * One copy of Netty in a host, one allocator of the library, or what the library knows of all its
 * allocators together.
 *
 * @param pool the package prefix of the copy, such as {@code io.netty}, or the allocator's name;
 *     unique in its host
 * @param version the version of that copy; empty if it is not known
 * @param mode {@code swap}, {@code observe} or {@code off}; {@link #LIBRARY} without a copy of
 *     Netty
 * @param reason why the copy is in this mode, when it is not the one that was asked for; else empty
 * @param pools the pools that serve it, at most one for each kind of memory
 * @param served allocations that Cistern served since its start
 * @param fellBack allocations that were left to the host's own allocator since the start, because
 *     memory was short
 * @param failures faults inside the pool since the start, each of which left one allocation to the
 *     host's own allocator
 * @param leaks what its leak detector knows
 * @param live what its live profile shows
 * @param netty what Netty's own allocators tell, where they are observed
 * @param modeChange the last change of the mode
 * @param lifetimes the lifetimes of its released samples, by kind of memory; empty if not known
 */
public record PoolReport(
    String pool,
    String version,
    String mode,
    String reason,
    List<PoolSnapshot> pools,
    long served,
    long fellBack,
    long failures,
    LeakReport leaks,
    LiveReport live,
    NettyReport netty,
    ModeChange modeChange,
    List<LifetimeReport> lifetimes) {
  /** The mode of what belongs to no copy of Netty. */
  public static final String LIBRARY = "library";

  /** Copies the lists. */
  public PoolReport {
    pools = List.copyOf(pools);
    lifetimes = List.copyOf(lifetimes);
  }

  /**
   * Returns whether there is a leak detector behind the report. The allocators of the library share
   * one, whose report has no pool.
   */
  public boolean isDiagnosed() {
    return !mode.equals(LIBRARY) || pools.isEmpty();
  }
}
