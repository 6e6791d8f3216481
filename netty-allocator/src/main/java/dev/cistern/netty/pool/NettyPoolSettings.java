/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty.pool;

import dev.cistern.leak.LeakDetector;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the pools of one copy of Netty. They are set once, before the first pool is
 * created.
 *
 * @param poolName name of the pools in leak reports: the copy's package
 * @param arenas number of arenas for each kind of memory; 0: by processors and memory
 * @param chunkBytes bytes of a chunk
 * @param decayMillis time after which unused memory is freed
 * @param uninitializedArrays whether new arrays may contain any bytes
 * @param maintenanceThread whether pools and leak detector have their own threads; otherwise the
 *     caller of {@link #use} ticks them
 * @param sampleIntervalBytes mean bytes between two samples; 0: none
 * @param leakLevel how closely buffers are watched
 * @param samplingInterval one in so many buffers is watched by count; 0: by bytes
 * @param leakLimits limits of the leak detector
 * @param siteRules texts of the rules for frames that are not the site of an allocation
 * @param resetCount whether counts are reset with {@code resetRefCnt()}, which early 4.1 lacks
 * @param records receives a record of each block of native memory; null without an agent
 * @param hooks extensions by the program
 */
public record NettyPoolSettings(
    String poolName,
    int arenas,
    int chunkBytes,
    long decayMillis,
    boolean uninitializedArrays,
    boolean maintenanceThread,
    long sampleIntervalBytes,
    LeakLevel leakLevel,
    int samplingInterval,
    LeakLimits leakLimits,
    List<String> siteRules,
    boolean resetCount,
    @Nullable Set<Object[]> records,
    PoolHooks hooks) {
  /** The default interval of buffers that are watched by count. */
  static final int DEFAULT_COUNT_INTERVAL = 128;

  /** The default bytes of a chunk. */
  public static final int DEFAULT_CHUNK_BYTES = 4 << 20;

  /** The default time after which unused memory is freed. */
  public static final long DEFAULT_DECAY_MILLIS = 10_000;

  /** The default mean bytes between two samples. */
  public static final long DEFAULT_SAMPLE_INTERVAL_BYTES = 512 << 10;

  /**
   * Limits of the leak detector.
   *
   * @param records number of the last accesses of a buffer that are kept
   * @param maxWatched maximum number of buffers that are watched at a time
   * @param burstNanos accesses of one thread within this time share a stack
   * @param quarantineBytes maximum bytes of released slots that each pool keeps in quarantine at
   *     the paranoid level
   */
  public record LeakLimits(int records, int maxWatched, long burstNanos, long quarantineBytes) {
    /** The default limits; the number of accesses is that of Netty. */
    public static final LeakLimits DEFAULT =
        new LeakLimits(
            4, LeakDetector.DEFAULT_MAX_WATCHED, LeakDetector.DEFAULT_BURST_NANOS, 8L << 20);
  }

  private static final NettyPoolSettings DEFAULT =
      new NettyPoolSettings(
          "io.netty",
          0,
          DEFAULT_CHUNK_BYTES,
          DEFAULT_DECAY_MILLIS,
          false,
          true,
          DEFAULT_SAMPLE_INTERVAL_BYTES,
          LeakLevel.SIMPLE,
          0,
          LeakLimits.DEFAULT,
          List.of(),
          true,
          null,
          new PoolHooks());

  private static volatile @Nullable NettyPoolSettings current;

  /** Copies the list. */
  public NettyPoolSettings {
    siteRules = List.copyOf(siteRules);
  }

  /** Returns whether buffers are also counted at the simple level, instead of sampled by bytes. */
  boolean isCountGiven() {
    return samplingInterval > 0;
  }

  /** Returns the interval of buffers that are watched by count. */
  int countInterval() {
    return isCountGiven() ? samplingInterval : DEFAULT_COUNT_INTERVAL;
  }

  /** Sets the settings of the pools that are created later. */
  public static void use(NettyPoolSettings settings) {
    current = settings;
  }

  /** Returns the settings in use, or the default ones. */
  public static NettyPoolSettings current() {
    NettyPoolSettings settings = current;
    return settings == null ? DEFAULT : settings;
  }
}
