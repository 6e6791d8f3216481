/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import io.netty.util.ResourceLeakDetector;

/** The leak detection of Netty's buffers: for none of them, or for all. */
final class NettyLeakLevel {
  private NettyLeakLevel() {}

  /** Sets the level and returns the previous one. */
  static ResourceLeakDetector.Level watchAll(boolean all) {
    ResourceLeakDetector.Level before = ResourceLeakDetector.getLevel();
    ResourceLeakDetector.setLevel(
        all ? ResourceLeakDetector.Level.PARANOID : ResourceLeakDetector.Level.DISABLED);
    return before;
  }
}
