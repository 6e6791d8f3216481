/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.bridge.api.BridgeOptions;
import dev.cistern.netty.pool.NettyPoolSettings;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** An extension that creates the pools of this JVM with the agent's hooks, once for all tests. */
final class BridgeDefaults implements BeforeAllCallback {
  private static final int CHUNK_BYTES = NettyPoolSettings.DEFAULT_CHUNK_BYTES;

  static final BridgeOptions OPTIONS =
      options(
          new BridgeOptions.Settings(
              0, CHUNK_BYTES, 10_000, 200, false, 512 << 10, "simple", 0, List.of()));

  private static boolean isDone;

  static BridgeOptions options(BridgeOptions.Settings settings) {
    return new BridgeOptions(
        "io.netty",
        settings,
        true,
        true,
        false,
        true,
        true,
        Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>())),
        new AtomicLong());
  }

  @Override
  public void beforeAll(ExtensionContext test) {
    use();
  }

  static synchronized void use() {
    if (!isDone) {
      NettyPoolSettings.use(Bridge.poolSettings(OPTIONS, new BridgeHooks(OPTIONS)));
      isDone = true;
    }
  }
}
