/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.leak.ChunkUse;
import dev.cistern.leak.LeakTracker;
import org.jspecify.annotations.Nullable;

/**
 * Whether the buffers that Netty makes by itself are sampled.
 *
 * <p>Nothing of the observer is loaded before it is first turned on, and nothing of the pools is
 * loaded by it.
 */
final class Observation {
  private static volatile boolean isOn;

  /** Whether it was ever on. */
  private static volatile boolean isUsed;

  private Observation() {}

  /**
   * Turns it on, which must not be before the deallocation of Netty's buffers is woven and the host
   * has made its first buffer by itself; or off: live samples are forgotten, because their ends are
   * no longer reported. Leaks that were found stay known.
   */
  static synchronized void turn(boolean on) {
    if (on == isOn) {
      return;
    }
    isOn = on; // first: if the end fails, a later beginning works all the same
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

  /** Updates the samples; nothing if it was never on. */
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
   * Returns the use of the chunk of Netty's own that contains a buffer, or null; always null if it
   * was never on, because then this copy may not have the members that this reads.
   */
  static @Nullable ChunkUse chunkUse(Object buffer) {
    return isUsed ? NettyObserver.chunkUse(buffer) : null;
  }
}
