/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

/** What the host's copy of Netty can do; constants, so that the compiler drops the other branch. */
final class HostFeatures {
  /** Whether counts are reset with {@code resetRefCnt()}; early 4.1 has only {@code setRefCnt}. */
  static final boolean RESET_COUNT = BridgeSettings.current().resetCount();

  /** Whether Netty's leak-aware wrapper can be given a tracker of ours. */
  static final boolean LEAK_AWARE = BridgeSettings.current().leakAware();

  /** Whether direct buffers tell their address, as Netty's own do here. */
  static final boolean MEMORY_ADDRESS = HostDirectMemory.INSTANCE.tellsAddress();

  private HostFeatures() {}
}
