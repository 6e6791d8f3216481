/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.netty.pool.LeakLevel;
import dev.cistern.netty.pool.NettyPoolSettings;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The agent's settings for this copy of Netty: set once, before the first pool is made.
 *
 * @param pool settings of the pools
 * @param firstBufferMillis the longest wait of the host's first allocations
 */
record BridgeSettings(NettyPoolSettings pool, long firstBufferMillis) {
  private static volatile @Nullable BridgeSettings current;

  /** Returns the settings that the agent sent as JDK types; a missing one has its default. */
  static BridgeSettings of(String poolName, Map<String, Long> numbers) {
    LeakLevel level =
        LeakLevel.values()[(int) number(numbers, "leakLevel", LeakLevel.SIMPLE.ordinal())];
    NettyPoolSettings pool =
        new NettyPoolSettings(
            poolName,
            (int) number(numbers, "arenas", 0),
            (int) number(numbers, "chunkBytes", NettyPoolSettings.DEFAULT_CHUNK_BYTES),
            number(numbers, "decayMillis", NettyPoolSettings.DEFAULT_DECAY_MILLIS),
            number(numbers, "uninitializedArrays", 0) != 0,
            false,
            number(numbers, "sampleInterval", NettyPoolSettings.DEFAULT_SAMPLE_INTERVAL_BYTES),
            level,
            (int) number(numbers, "samplingInterval", 0),
            NettyPoolSettings.LeakLimits.DEFAULT,
            number(numbers, "resetCount", 1) != 0,
            number(numbers, "leakAware", 1) != 0,
            new BridgeHooks(number(numbers, "events", 0) != 0));
    return new BridgeSettings(pool, number(numbers, "firstBufferMillis", 200));
  }

  private static long number(Map<String, Long> numbers, String key, long missing) {
    Long value = numbers.get(key);
    return value == null ? missing : value;
  }

  static void use(BridgeSettings settings) {
    current = settings;
    NettyPoolSettings.use(settings.pool);
  }

  static BridgeSettings current() {
    BridgeSettings settings = current;
    return settings == null ? of("io.netty", Map.of()) : settings;
  }
}
