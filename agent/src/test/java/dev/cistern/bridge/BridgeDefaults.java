/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import java.util.Map;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Has the pools of this JVM made with the agent's hooks: they are made once for all tests. */
final class BridgeDefaults implements BeforeAllCallback {
  private static boolean isDone;

  @Override
  public void beforeAll(ExtensionContext test) {
    use();
  }

  static synchronized void use() {
    if (!isDone) {
      BridgeSettings.use(BridgeSettings.of("io.netty", Map.of()));
      isDone = true;
    }
  }
}
