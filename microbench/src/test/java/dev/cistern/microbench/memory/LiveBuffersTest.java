/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LiveBuffersTest {
  private final long seed = System.nanoTime();

  @Test
  void buffersComeOutInTheOrderTheyAreDue() {
    SplittableRandom random = new SplittableRandom(seed);
    LiveBuffers live = new LiveBuffers(1000);
    long bytes = 0;
    while (!live.isFull()) {
      long due = random.nextInt(500);
      int size = random.nextInt(100);
      live.add(due, size, due, due % 3 == 0);
      bytes += size;
    }
    assertThat(live.liveBytes()).as("seed %d", seed).isEqualTo(bytes);
    long before = 0;
    while (!live.isEmpty()) {
      long due = live.firstDue();
      assertThat(due).as("seed %d", seed).isGreaterThanOrEqualTo(before);
      assertThat(live.firstIsHandedOver()).as("seed %d", seed).isEqualTo(due % 3 == 0);
      assertThat(live.removeFirst()).as("seed %d", seed).isEqualTo(due);
      before = due;
    }
    assertThat(live.liveBytes()).isZero();
  }
}
