/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The agent's settings for this copy's pools: set once, before the first pool is made. */
record BridgeSettings(
    String poolName,
    int arenas,
    int chunkBytes,
    long decayMillis,
    long firstBufferMillis,
    boolean uninitializedArrays,
    long sampleIntervalBytes,
    WatchLevel leakLevel,
    int samplingInterval,
    boolean resetCount,
    boolean leakAware,
    boolean events) {
  /** One in so many buffers is watched where they are counted, unless it is set. */
  static final int DEFAULT_COUNT_INTERVAL = 128;

  private static volatile @Nullable BridgeSettings current;

  /** Records of native memory for the agent; null without an agent. */
  private static volatile @Nullable Set<Object[]> records;

  /** Returns the settings that the agent sent as JDK types; a missing one has its default. */
  static BridgeSettings of(String poolName, Map<String, Long> numbers) {
    return new BridgeSettings(
        poolName,
        (int) number(numbers, "arenas", 0),
        (int) number(numbers, "chunkBytes", 4 << 20),
        number(numbers, "decayMillis", 10_000),
        number(numbers, "firstBufferMillis", 200),
        number(numbers, "uninitializedArrays", 0) != 0,
        number(numbers, "sampleInterval", 512 << 10),
        WatchLevel.values()[(int) number(numbers, "leakLevel", WatchLevel.SIMPLE.ordinal())],
        (int) number(numbers, "samplingInterval", 0),
        number(numbers, "resetCount", 1) != 0,
        number(numbers, "leakAware", 1) != 0,
        number(numbers, "events", 0) != 0);
  }

  private static long number(Map<String, Long> numbers, String key, long missing) {
    Long value = numbers.get(key);
    return value == null ? missing : value;
  }

  /** Whether buffers are counted at the simple level too, instead of being drawn by their bytes. */
  boolean isCountGiven() {
    return samplingInterval > 0;
  }

  /** One in so many buffers is watched where they are counted. */
  int countInterval() {
    return isCountGiven() ? samplingInterval : DEFAULT_COUNT_INTERVAL;
  }

  static void use(BridgeSettings settings) {
    current = settings;
  }

  /** Has native memory recorded for the agent. */
  static void recordIn(Set<Object[]> agentRecords) {
    records = agentRecords;
  }

  static @Nullable Set<Object[]> records() {
    return records;
  }

  static BridgeSettings current() {
    BridgeSettings settings = current;
    return settings == null ? of("io.netty", Map.of()) : settings;
  }
}
