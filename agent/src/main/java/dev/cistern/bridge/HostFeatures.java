/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import io.netty.buffer.CisternEvents;
import io.netty.util.internal.PlatformDependent;

/** What the host's copy of Netty can do; constants, so that the compiler drops the other branch. */
final class HostFeatures {
  /** Whether counts are reset with {@code resetRefCnt()}; early 4.1 has only {@code setRefCnt}. */
  static final boolean RESET_COUNT = BridgeSettings.current().resetCount();

  /** Whether Netty's leak-aware wrapper can be given a tracker of ours. */
  static final boolean LEAK_AWARE = BridgeSettings.current().leakAware();

  /** Whether direct buffers tell their address, as Netty's own do here. */
  static final boolean MEMORY_ADDRESS = tellsAddress();

  /** Whether this copy writes events of the flight recorder, as Netty 4.2 does unless told not. */
  static final boolean EVENTS = BridgeSettings.current().events() && isRecorderEnabled();

  private HostFeatures() {}

  private static boolean tellsAddress() {
    if (PlatformDependent.hasUnsafe()) {
      return true;
    }
    try {
      return NettyBackend.isCleanable() && new NettyBackend().hasAddress();
    } catch (OutOfMemoryError atLimit) {
      return true; // as all do that Netty has where there is no Unsafe, but for the oldest
    }
  }

  /** By its name: Netty 4.1 has no such method. */
  private static boolean isRecorderEnabled() {
    try {
      boolean isOn =
          Boolean.TRUE.equals(PlatformDependent.class.getMethod("isJfrEnabled").invoke(null));
      if (isOn) { // where an event class does not work, that shows here and not in an allocation
        boolean unused = CisternEvents.load();
      }
      return isOn;
    } catch (ReflectiveOperationException | LinkageError netty41) {
      return false;
    }
  }
}
