/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.netty.pool.NettyLeakDetector;
import io.netty.buffer.CisternObserver;
import java.util.List;

/**
 * Whether the buffers that Netty makes by itself are sampled.
 *
 * <p>Nothing of the observer is loaded before it is first turned on, and nothing of the pools is
 * loaded by it.
 */
final class Observation {
  private static boolean isOn;

  /** Whether it was ever on. */
  private static volatile boolean isUsed;

  private Observation() {}

  /**
   * Turns it on, which must not be before the deallocation of Netty's buffers is woven and the host
   * has made its first buffer by itself; or off: what was sampled and is still live is forgotten,
   * since nobody will tell of its end. What had leaked by then stays known.
   */
  static synchronized void turn(boolean on) {
    if (on == isOn) {
      return;
    }
    if (on) {
      Observer.begin();
      isUsed = true;
    } else {
      Observer.end();
    }
    isOn = on;
  }

  /** Takes down what has become of the samples; nothing if it was never on. */
  static void refresh() {
    if (isUsed) {
      NettyObserver.SAMPLED.refresh();
    }
  }

  /** Loaded when it is first turned on. */
  private static final class Observer {
    private static final NettyObserver INSTANCE = new NettyObserver();

    static void begin() {
      NettyObserver.SAMPLED.open();
      CisternObserver.watching(INSTANCE);
    }

    /** Deallocations are told of until all is forgotten: what nobody tells of seems to leak. */
    static void end() {
      List<SampledBuffers.Forgotten> forgotten = NettyObserver.SAMPLED.close();
      CisternObserver.watching(null);
      for (SampledBuffers.Forgotten sample : forgotten) {
        NettyLeakDetector.close(sample.tracker(), sample.buffer());
      }
    }
  }
}
