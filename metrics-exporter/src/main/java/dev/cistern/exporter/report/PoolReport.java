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
 * Report of one copy of Netty in a host, of one allocator of the library, or of all allocators of
 * the library together.
 *
 * @param pool the package prefix of the copy, such as {@code io.netty}, or the allocator's name;
 *     unique in its host
 * @param version the version of that copy; empty if it is not known
 * @param mode {@code swap}, {@code observe} or {@code off}; {@link #LIBRARY} without a copy of
 *     Netty
 * @param reason the cause of the mode if it is not the requested one; otherwise empty
 * @param pools the pools that serve it, up to one for each kind of memory
 * @param served allocations that Cistern served since its start
 * @param fellBack allocations that fell back to the host's own allocator since start because of too
 *     little memory
 * @param failures faults of Cistern's pool, or of the bridge that connects it to the copy, since
 *     start; after a fault, Netty serves the allocation, or the agent's thread finishes the release
 * @param leaks report of its leak detector
 * @param live its live profile
 * @param netty report of Netty's own allocators, if they are observed
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
  /** The mode of a pool without a copy of Netty. */
  public static final String LIBRARY = "library";

  /** Copies the lists. */
  public PoolReport {
    pools = List.copyOf(pools);
    lifetimes = List.copyOf(lifetimes);
  }

  /**
   * Returns whether a leak detector provided the report. The allocators of the library share one
   * detector, whose report has no pool.
   */
  public boolean isDiagnosed() {
    return !mode.equals(LIBRARY) || pools.isEmpty();
  }
}
