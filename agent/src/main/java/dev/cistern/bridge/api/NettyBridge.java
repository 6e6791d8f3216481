/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge.api;

import dev.cistern.leak.report.AllocationReport;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LifetimeReport;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.StackDetail;
import dev.cistern.stats.ChunkMap;
import dev.cistern.stats.NettyReport;
import dev.cistern.stats.PoolSnapshot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The agent's access to the bridge of one Netty copy. The classes of the host hold the bridge; the
 * agent holds it weakly.
 *
 * <p>Only the agent's thread calls the methods that change state; any thread may read figures.
 */
public interface NettyBridge {
  /** Uses the pools once as a host would. Returns null, or the failure. */
  @Nullable Throwable selfTest();

  /**
   * Puts a mode into force and ends the wait of the host's first allocations.
   *
   * @param percent share of the allocations that the pools serve, 0 to 100
   * @param observes whether Netty's own buffers are sampled
   */
  void setMode(int percent, boolean observes);

  /**
   * Lets the host's first allocations wait for a short time until a mode is in force.
   *
   * @param agentThread the thread that the first allocation wakes
   */
  void holdFirstAllocations(Thread agentThread);

  /** Returns whether the pools have reserved no memory, so that no buffer of them is in use. */
  boolean isDrained();

  /** Runs a maintenance round. Returns the number of leaks that it found. */
  int tick();

  /** Returns whether too many faults have ended the service until a mode is set again. */
  boolean isPaused();

  /** Returns one of the faults of allocations since the last call, or null. */
  @Nullable Throwable takeFailure();

  /** Returns one of the faults of releases since the last call, or null. */
  @Nullable Throwable takeReleaseFailure();

  /** Sets the thread that is woken when native memory runs out. */
  void wakeOnExhaustion(Thread agentThread);

  /** Returns the number of times that native memory ran out. */
  long exhaustions();

  /** Frees one unused chunk or extent of direct memory. Returns whether there was one. */
  boolean freeOne();

  /** Names an allocator instance of the host, unless it has a name. */
  void name(Object allocator, String name);

  /**
   * Returns the live allocator instances of the host.
   *
   * @param withStatistics whether the report has the statistics of the instances that allocate
   */
  NettyReport allocators(boolean withStatistics);

  /** Returns the pools and the allocation counters, from one snapshot of each pool. */
  PoolsReport report();

  /**
   * Pools and allocation counters.
   *
   * @param pools a snapshot of each pool; an empty list if the copy has no pools
   * @param counters the counters
   */
  record PoolsReport(List<PoolSnapshot> pools, BridgeCounters counters) {}

  /**
   * Returns the number of allocations that were left to Netty.
   *
   * @param isFault whether the reason was a fault; otherwise it was a lack of memory or stack
   */
  long fallbacks(boolean isDirect, boolean isFault);

  /** Returns a snapshot of each pool; an empty list if the copy has no pools. */
  List<PoolSnapshot> pools();

  /** Returns the chunk usage of each pool; an empty list if the copy has no pools. */
  List<ChunkMap> chunkMaps();

  /** Returns the leaks found so far. */
  LeakReport leaks(StackDetail detail);

  /** Returns the live buffers. */
  LiveReport live(StackDetail detail);

  /** Returns the lifetimes of released samples, one report for each kind of memory. */
  List<LifetimeReport> lifetimes();

  /** Returns the allocations of each stack since the start. */
  AllocationReport allocations(StackDetail detail);
}
