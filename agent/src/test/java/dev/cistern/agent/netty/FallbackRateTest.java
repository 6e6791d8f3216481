/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.bridge.api.BridgeCounters;
import org.junit.jupiter.api.Test;

class FallbackRateTest {
  private final FallbackRate rate = new FallbackRate();
  private long served;
  private long fallbacks;

  private boolean tick(long moreServed, long moreFallbacks) {
    served += moreServed;
    fallbacks += moreFallbacks;
    return rate.isMany(fallbacks) && rate.isExceeded(new BridgeCounters(served, fallbacks, 0));
  }

  @Test
  void halfOfTheAllocationsForFiveSecondsAreTooMany() {
    assertThat(tick(1_000, 0)).isFalse();
    for (int i = 0; i < 5; i++) { // the first one is only the start
      assertThat(tick(100, 100)).isFalse();
    }
    assertThat(tick(100, 100)).isTrue();
    assertThat(rate.describe())
        .isEqualTo("500 of 1000 allocations in 5 s found no memory in the pool");
    assertThat(tick(0, 1_000)).as("starts again").isFalse();
  }

  @Test
  void oneGoodSecondStartsAgain() {
    for (int i = 0; i < 20; i++) {
      assertThat(tick(i % 5 == 4 ? 101 : 0, 100)).isFalse();
    }
  }

  @Test
  void aFewFallbacksAreNeverTooMany() {
    for (int i = 0; i < 20; i++) {
      assertThat(tick(0, 99)).isFalse();
    }
  }
}
