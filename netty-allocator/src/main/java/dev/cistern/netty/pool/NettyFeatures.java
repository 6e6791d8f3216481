/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty.pool;

import io.netty.util.internal.PlatformDependent;

/**
 * The features of this copy of Netty. They are constants, so that the compiler drops the other
 * branch.
 */
final class NettyFeatures {
  /** The extensions of the pools by the program that uses them. */
  static final PoolHooks HOOKS = NettyPoolSettings.current().hooks();

  /** Whether counts are reset with {@code resetRefCnt()}; early 4.1 has only {@code setRefCnt}. */
  static final boolean RESET_COUNT = NettyPoolSettings.current().resetCount();

  /** Whether direct buffers have a memory address, as Netty's own do here. */
  static final boolean MEMORY_ADDRESS = hasMemoryAddress();

  /** Whether this copy writes events of the flight recorder, as Netty 4.2 does by default. */
  static final boolean EVENTS = HOOKS.hasEvents();

  private NettyFeatures() {}

  private static boolean hasMemoryAddress() {
    if (PlatformDependent.hasUnsafe()) {
      return true;
    }
    try {
      return NettyBackend.isCleanable() && new NettyBackend().hasAddress();
    } catch (OutOfMemoryError atLimit) {
      return true; // every Netty without Unsafe has addresses, except for the oldest
    }
  }
}
