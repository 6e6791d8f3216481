/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.bridge.api.BridgeOptions;
import dev.cistern.memory.MemoryKind;
import dev.cistern.netty.pool.NettyDirectMemory;
import dev.cistern.netty.pool.NettyPool;
import dev.cistern.netty.pool.NettyPoolSettings;
import dev.cistern.pool.BufferPool;
import dev.cistern.pool.PoolSettings;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The options of a bridge arrive in the engine. */
@ExtendWith(BridgeDefaults.class)
class BridgeSettingsTest {
  @Test
  @Tag("A16")
  void theOptionsReachTheEngine() {
    BridgeOptions options =
        BridgeDefaults.options(
            new BridgeOptions.Settings(
                3, 1 << 20, 1234, 200, false, 5678, "simple", 0, List.of("com.shop.Pool")));
    assertThat(Bridge.poolSettings(options, new BridgeHooks(options)).siteRules())
        .containsExactly("com.shop.Pool");
    PoolSettings given = poolSettings(options);
    assertThat(given.arenas()).isEqualTo(3);
    assertThat(given.chunkBytes()).isEqualTo(1 << 20);
    assertThat(given.decayMillis()).isEqualTo(1234);
    assertThat(given.sampleIntervalBytes()).isEqualTo(5678);
  }

  private static PoolSettings poolSettings(BridgeOptions options) {
    NettyPoolSettings before = NettyPoolSettings.current();
    NettyPoolSettings.use(Bridge.poolSettings(options, new BridgeHooks(options)));
    try (BufferPool engine =
        new NettyPool(MemoryKind.DIRECT, NettyDirectMemory.INSTANCE).engine()) {
      return engine.settings();
    } finally {
      NettyPoolSettings.use(before);
    }
  }
}
