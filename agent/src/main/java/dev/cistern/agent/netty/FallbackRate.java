/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.netty;

import dev.cistern.bridge.api.BridgeCounters;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Detects that a pool leaves most allocations to Netty. The agent's thread only. */
final class FallbackRate {
  /** Number of bad ticks in a row, each a second, after which the rate is exceeded. */
  private static final int MAX_BAD_TICKS = 5;

  /** Smallest number of fallbacks in a tick that can be too many. */
  private static final long MIN_FALLBACKS = 100;

  private long lastFallbacks;

  /**
   * The counters of the last tick; null if that tick had few fallbacks, because reading counters is
   * expensive.
   */
  private @Nullable BridgeCounters last;

  /** The counters before the first bad tick. */
  private BridgeCounters first = BridgeCounters.NONE;

  private int badTicks;

  /** Adds the fallbacks of a tick. Returns whether {@link #isExceeded} is to be called. */
  boolean isMany(long fallbacks) {
    boolean isMany = fallbacks - lastFallbacks >= MIN_FALLBACKS;
    lastFallbacks = fallbacks;
    if (!isMany) {
      badTicks = 0;
      last = null;
    }
    return isMany;
  }

  /** Returns whether half of the allocations or more fell back in each of the last five ticks. */
  boolean isExceeded(BridgeCounters now) {
    BridgeCounters before = last;
    last = now;
    if (before == null || now.fallbacks() - before.fallbacks() < now.served() - before.served()) {
      badTicks = 0;
    } else if (badTicks++ == 0) {
      first = before;
    }
    return badTicks >= MAX_BAD_TICKS;
  }

  /** Returns the allocations of the bad ticks in words, and starts again. */
  String describe() {
    BridgeCounters now = Objects.requireNonNull(last);
    long fallbacks = now.fallbacks() - first.fallbacks();
    long allocations = fallbacks + now.served() - first.served();
    badTicks = 0;
    return fallbacks
        + " of "
        + allocations
        + " allocations in "
        + MAX_BAD_TICKS
        + " s found no memory in the pool";
  }
}
