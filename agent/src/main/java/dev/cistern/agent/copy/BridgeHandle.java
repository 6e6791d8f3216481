/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.copy;

import dev.cistern.agent.config.Mode;
import dev.cistern.exporter.NettyReport;
import dev.cistern.leak.LeakReport;
import dev.cistern.leak.LiveReport;
import dev.cistern.leak.StackDetail;
import dev.cistern.memory.MemoryWay;
import dev.cistern.stats.ChunkMap;
import dev.cistern.stats.PoolFigure;
import dev.cistern.stats.PoolSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The commands to a bridge, typed on this side; what crosses the loaders is JDK types. */
public final class BridgeHandle {
  private static final String NOTHING = "";

  private final BiFunction<String, Object, Object> bridge;

  BridgeHandle(BiFunction<String, Object, Object> bridge) {
    this.bridge = bridge;
  }

  /** Null, or what it threw. */
  @Nullable Throwable selfTest() {
    return (Throwable) bridge.apply("selfTest", NOTHING);
  }

  /**
   * Has this mode in force from now on.
   *
   * @param observe whether Netty's own buffers are sampled
   */
  void mode(Mode mode, boolean observe) {
    Object[] wanted = {mode.swaps(), mode.percent(), observe};
    Object unused = bridge.apply("mode", wanted);
  }

  /**
   * Has the host's first allocations wait, for a short time, until a mode is in force.
   *
   * @param agentThread woken when there is one; null for no longer
   */
  void expect(@Nullable Thread agentThread) {
    Object unused = bridge.apply("expect", agentThread == null ? NOTHING : agentThread);
  }

  /** Whether nothing of ours is in use, and nothing is reserved. */
  boolean isDrained() {
    return (Boolean) bridge.apply("drained", NOTHING);
  }

  /** What the allocator instances that were seen tell of themselves. */
  public NettyReport observed() {
    return NettyReport.decode((Object[]) bridge.apply("observed", NOTHING));
  }

  /** Returns the first fault of an allocation or release since the last call, or null. */
  @Nullable Throwable failure() {
    return (Throwable) bridge.apply("failure", NOTHING);
  }

  /** Returns what a release threw since the last call, or null. */
  @Nullable Throwable releaseFailure() {
    return (Throwable) bridge.apply("releaseFailure", NOTHING);
  }

  /** Whether faults have ended the service until a mode is set. */
  boolean isPaused() {
    return (Boolean) bridge.apply("paused", NOTHING);
  }

  /** Runs a maintenance round; returns the number of leaks that it found. */
  int tick() {
    return bridge.apply("tick", NOTHING) instanceof Integer leaks ? leaks : 0;
  }

  /** The figures of its pools. */
  public List<PoolSnapshot> snapshots() {
    List<PoolSnapshot> pools = new ArrayList<>();
    for (Object encoded : (Object[]) bridge.apply("snapshot", NOTHING)) {
      pools.add(PoolSnapshot.decode((Object[]) encoded));
    }
    return pools;
  }

  /** Returns how its pools allocate native memory; null if they have not. */
  @Nullable MemoryWay memoryWay() {
    for (PoolSnapshot pool : snapshots()) {
      int way = (int) pool.get(PoolFigure.MEMORY_WAY);
      if (way >= 0) {
        return MemoryWay.values()[way];
      }
    }
    return null;
  }

  /** How full the chunks of its pools are. */
  public List<ChunkMap> chunks() {
    List<ChunkMap> maps = new ArrayList<>();
    for (Object encoded : (Object[]) bridge.apply("chunks", NOTHING)) {
      maps.add(ChunkMap.decode((Object[]) encoded));
    }
    return maps;
  }

  /** Its counters: served direct, served heap, left to Netty for lack of memory, faults. */
  public long[] counters() {
    return (long[]) bridge.apply("counters", NOTHING);
  }

  /** The allocator instances of the host that were seen, as class and identity. */
  public List<String> allocators() {
    return List.of((String[]) bridge.apply("allocators", NOTHING));
  }

  /** What its leak detector knows. */
  public LeakReport leaks(StackDetail detail) {
    String command = detail == StackDetail.SITE ? "leakSites" : "leaks";
    return LeakReport.decode((byte[]) bridge.apply(command, NOTHING));
  }

  /** What is live. */
  public LiveReport live(StackDetail detail) {
    String command = detail == StackDetail.SITE ? "liveSites" : "live";
    return LiveReport.decode((byte[]) bridge.apply(command, NOTHING));
  }

  /** Has {@code agentThread} woken when native memory runs out. */
  void wake(Thread agentThread) {
    Object unused = bridge.apply("keeper", agentThread);
  }

  /** Gives back some direct memory that no buffer uses; whether there was any. */
  boolean freeOne() {
    return (Boolean) bridge.apply("freeOne", NOTHING);
  }

  /** How often native memory has run out. */
  long exhausted() {
    return (Long) bridge.apply("exhausted", NOTHING);
  }
}
