/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import io.netty.util.ResourceLeakDetector;

/** How much Netty watches for leaks: none of its buffers, or all of them. */
final class NettyLeakLevel {
  private NettyLeakLevel() {}

  /** Sets it and returns what it was. */
  static ResourceLeakDetector.Level watchAll(boolean all) {
    ResourceLeakDetector.Level before = ResourceLeakDetector.getLevel();
    ResourceLeakDetector.setLevel(
        all ? ResourceLeakDetector.Level.PARANOID : ResourceLeakDetector.Level.DISABLED);
    return before;
  }
}
