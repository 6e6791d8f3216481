/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.memory.MemoryKind;
import dev.cistern.netty.pool.NettyDirectMemory;
import dev.cistern.netty.pool.NettyPool;
import dev.cistern.pool.BufferPool;
import dev.cistern.pool.PoolSettings;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the agent sends by name arrives in the engine. */
@ExtendWith(BridgeDefaults.class)
class BridgeSettingsTest {
  @Test
  @Tag("A16")
  void whatTheAgentSendsReachesTheEngine() {
    PoolSettings given =
        settingsWith(
            Map.of(
                "arenas", 3L,
                "chunkBytes", 1L << 20,
                "decayMillis", 1234L,
                "sampleInterval", 5678L));
    assertThat(given.arenas()).isEqualTo(3);
    assertThat(given.chunkBytes()).isEqualTo(1 << 20);
    assertThat(given.decayMillis()).isEqualTo(1234);
    assertThat(given.sampleIntervalBytes()).isEqualTo(5678);
  }

  private static PoolSettings settingsWith(Map<String, Long> numbers) {
    BridgeSettings before = BridgeSettings.current();
    BridgeSettings.use(BridgeSettings.of("io.netty", numbers));
    try (BufferPool engine =
        new NettyPool(MemoryKind.DIRECT, NettyDirectMemory.INSTANCE).engine()) {
      return engine.settings();
    } finally {
      BridgeSettings.use(before);
    }
  }
}
