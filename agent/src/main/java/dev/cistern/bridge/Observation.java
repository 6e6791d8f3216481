/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.leak.ChunkUse;
import dev.cistern.leak.LeakTracker;
import org.jspecify.annotations.Nullable;

/**
 * The switch of the sampling of buffers that Netty itself allocates.
 *
 * <p>No class of the observer is loaded before it is first turned on. It loads no class of the
 * pools.
 */
final class Observation {
  private static volatile boolean isOn;

  /** Whether sampling was ever on. */
  private static volatile boolean isUsed;

  private Observation() {}

  /**
   * Turns sampling on or off. Must not be turned on before the deallocation of Netty's buffers is
   * instrumented and the host has allocated its first buffer. Turning it off forgets live samples,
   * because their ends are no longer reported. Known leaks are kept.
   */
  static synchronized void turn(boolean on) {
    if (on == isOn) {
      return;
    }
    isOn = on; // first, so that a later start works if this end fails
    if (on) {
      NettyObserver.begin();
      isUsed = true;
    } else {
      NettyObserver.end();
    }
  }

  /** Runs the maintenance of a round. Only the agent's thread calls it. */
  static void tick() {
    refresh();
    ObservedCollections.tick();
    if (isOn) {
      ChunkResidency.measureIfDue();
    }
  }

  /** Updates the samples. Does nothing if sampling was never on. */
  static void refresh() {
    if (isUsed) {
      NettyObserver.SAMPLED.refresh();
    }
  }

  /** Returns the tracker of a sampled buffer of Netty's own, or null. */
  static @Nullable LeakTracker<?> tracker(Object buffer) {
    return isUsed ? NettyObserver.tracker(buffer) : null;
  }

  /**
   * Returns the use of the chunk of Netty's own that contains a buffer, or null; always null if
   * sampling was never on, because this copy may then lack the members that this method reads.
   */
  static @Nullable ChunkUse chunkUse(Object buffer) {
    return isUsed ? NettyObserver.chunkUse(buffer) : null;
  }
}
