/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class BinCountersTest {
  private static final int SLOT_BYTES = 1 << 20;

  private final long seed = Long.getLong("cistern.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final BinCounters counted = new BinCounters(0, SLOT_BYTES);

  private long bytes;
  private long allocations;

  /** Counts as the fast path does; returns false if the allocation takes the slow path. */
  private boolean countFast(int requested) {
    long tally = counted.tally + BinCounters.ONE_ALLOCATION + requested;
    if (tally >= counted.fastPathLimit) {
      return false;
    }
    counted.tally = tally;
    bytes += requested;
    allocations++;
    return true;
  }

  private void count(int requested) {
    counted.countAllocation();
    counted.countBytes(requested);
    bytes += requested;
    allocations++;
  }

  @Test
  void bothCountsStayExactFarBeyondTheSizeOfTheWord() {
    for (int round = 0; round < 200; round++) {
      int skipped = random.nextInt(1 << 20);
      int each = random.nextInt(1 << 18);
      counted.tally +=
          (BinCounters.ONE_ALLOCATION + each) * skipped; // as many allocations of the same size
      bytes += (long) each * skipped;
      allocations += skipped;
      count(random.nextInt(SLOT_BYTES + 1));
      assertThat(counted.requestedBytes()).as("seed %d, round %d", seed, round).isEqualTo(bytes);
      assertThat(counted.allocations()).as("seed %d, round %d", seed, round).isEqualTo(allocations);
      assertThat(counted.readRequestedBytes()).isEqualTo(bytes);
      assertThat(counted.readAllocations()).isEqualTo(allocations);
      counted.extendFastPath(random.nextInt(), random.nextInt());
    }
    assertThat(allocations).as("seed %d", seed).isGreaterThan(1L << 24);
    assertThat(bytes).as("seed %d", seed).isGreaterThan(1L << 40);
  }

  @Test
  void neitherLimitIsPassedOnTheFastPath() {
    allocations = (1L << 23) - 1000; // close to the wrap of the word
    for (long left = allocations; left > 0; left -= 1L << 20) {
      counted.tally += Math.min(left, 1L << 20) * BinCounters.ONE_ALLOCATION;
      counted.extendFastPath(0, 0);
    }
    for (int round = 0; round < 2000; round++) {
      long allocationsLeft = random.nextInt(50);
      long bytesLeft = (long) random.nextInt(50) * SLOT_BYTES + random.nextInt(SLOT_BYTES);
      counted.extendFastPath(allocationsLeft, bytesLeft);
      long allocationsThen = allocations;
      long bytesThen = bytes;
      boolean isFull = random.nextBoolean();
      while (countFast(isFull ? SLOT_BYTES : random.nextInt(SLOT_BYTES + 1))) {
        assertThat(allocations - allocationsThen)
            .as("seed %d, round %d", seed, round)
            .isLessThanOrEqualTo(allocationsLeft);
        assertThat(bytes - bytesThen)
            .as("seed %d, round %d", seed, round)
            .isLessThanOrEqualTo(bytesLeft);
      }
      if (counted.tally < 0 || allocations < (1L << 23) - 60) {
        assertThat(allocations - allocationsThen)
            .as("seed %d, round %d: no look too early", seed, round)
            .isEqualTo(Math.min(allocationsLeft, bytesLeft / SLOT_BYTES));
      }
      count(random.nextInt(SLOT_BYTES + 1));
      assertThat(counted.allocations()).as("seed %d", seed).isEqualTo(allocations);
      assertThat(counted.requestedBytes()).as("seed %d", seed).isEqualTo(bytes);
    }
  }
}
