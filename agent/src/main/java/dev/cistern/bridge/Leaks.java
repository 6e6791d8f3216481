/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.leak.LeakDetector;
import dev.cistern.leak.LeakStore;

/** The leak detector of this copy of Netty, for both kinds of memory. */
final class Leaks {
  static final LeakDetector DETECTOR =
      new LeakDetector(
          BridgeSettings.current().poolName(),
          new LeakStore(LeakStore.DEFAULT_MAX_ENTRIES, Leaks::print));

  private Leaks() {}

  private static void print(String line) {
    System.err.println("cistern: " + line);
  }
}
