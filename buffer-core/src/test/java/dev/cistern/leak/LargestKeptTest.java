/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LargestKeptTest {
  private static final long SEED = Long.getLong("cistern.seed", 42);
  private static final int LIMIT = 32;

  private final LargestKept<Integer, Item> largest = new LargestKept<>(LIMIT);
  private final List<Integer> gone = new ArrayList<>();

  private static final class Item extends LargestKept.Kept {
    private final int key;
    private boolean isLast;

    Item(int key) {
      this.key = key;
    }

    @Override
    boolean isReplacedLast() {
      return isLast;
    }
  }

  private @Nullable Item add(int key, long bytes) {
    return largest.add(key, bytes, false, () -> new Item(key), item -> gone.add(item.key));
  }

  private void fill(long bytes) {
    for (int key = 0; key < LIMIT; key++) {
      assertThat(add(key, bytes)).isNotNull();
    }
  }

  private long smallest() {
    long smallest = Long.MAX_VALUE;
    for (Item item : largest.values()) {
      smallest = Math.min(smallest, item.weightBytes());
    }
    return smallest;
  }

  @Test
  void oneLargeKeyTakesThePlaceOfTheSmallestAtOnce() {
    fill(100);
    add(7, 1);
    assertThat(add(1_000, 100)).as("not larger than the smallest").isNull();
    assertThat(add(1_001, 101)).isNotNull();
    assertThat(gone).as("of equals, the last one gives way").containsExactly(LIMIT - 1);
  }

  @Test
  void manySmallOnesOfOneKeyGetAPlaceAmongKeysSeenOnce() {
    fill(1_000);
    SplittableRandom random = new SplittableRandom(SEED);
    int added = 0;
    while (add(-1, 2) == null) {
      added++;
      // Up to 8 bytes of noise for each 2 bytes of the key: up to 1/65 of all bytes is lost to
      // noise.
      for (int i = random.nextInt(1, 5); i > 0; i--) {
        assertThat(add(random.nextInt(1_000, Integer.MAX_VALUE), 2)).isNull();
      }
      assertThat(added).as("seed " + SEED).isLessThan(600);
    }
    assertThat(gone).hasSize(1);
    assertThat(added).isGreaterThanOrEqualTo(500);
  }

  @Test
  void aPreferredKeyTakesThePlaceOfAnyButTheLastToGiveWay() {
    fill(100);
    for (Item item : largest.values()) {
      item.isLast = item.key != 3;
    }
    assertThat(largest.add(-1, 1, true, () -> new Item(-1), item -> gone.add(item.key)))
        .isNotNull();
    assertThat(gone).containsExactly(3);
    for (Item item : largest.values()) {
      item.isLast = true;
    }
    assertThat(largest.add(-2, 1, true, () -> new Item(-2), item -> gone.add(item.key))).isNull();
  }

  @Test
  void bytesOfNothingAreNoCandidate() {
    fill(0);
    for (int key = 1_000; key < 2_000; key++) {
      assertThat(add(key, 0)).isNull();
    }
    assertThat(add(2_000, 1)).isNotNull();
  }

  @Test
  void aFurtherCandidateTakesTheSameFromAll() {
    fill(100);
    for (int key = 1_000; key < 1_000 + LargestKept.CANDIDATES; key++) {
      assertThat(add(key, key == 1_000 ? 10 : 20)).isNull();
    }
    assertThat(add(2_000, 15)).isNull(); // reduces each candidate by 10, and replaces the first one
    assertThat(add(1_000, 91)).as("it had 10, and lost them").isNull();
    assertThat(add(1_001, 90)).as("5 of its 20 are left").isNull();
    assertThat(add(1_001, 11)).isNotNull();
  }

  /** Tests the guarantee of the class after each of many random additions. */
  @Test
  void noKeyHasMuchMoreThanTheSmallestWithoutBeingKept() {
    SplittableRandom random = new SplittableRandom(SEED);
    Map<Integer, Long> bytesWhileNotKept = new HashMap<>();
    long allWhileNotKept = 0;
    long smallestBefore = 0;
    for (int i = 0; i < 50_000; i++) {
      int key = (int) Math.min(3_000, 1 / (random.nextDouble() + 1e-9)); // few keys are frequent
      long bytes = random.nextInt(1, 10) == 1 ? random.nextLong(1_000) : random.nextLong(10);
      if (add(key, bytes) != null) {
        bytesWhileNotKept.remove(key);
      } else {
        allWhileNotKept += bytes;
        long ofKey = bytesWhileNotKept.merge(key, bytes, Long::sum);
        long allowed = smallest() + allWhileNotKept / (LargestKept.CANDIDATES + 1);
        assertThat(ofKey).as("seed %d, step %d", SEED, i).isLessThanOrEqualTo(allowed);
      }
      if (i > 5_000) {
        assertThat(smallest()).isGreaterThanOrEqualTo(smallestBefore);
        smallestBefore = smallest();
      }
    }
    assertThat(gone).hasSizeGreaterThan(10);
    assertThat(largest.values()).hasSize(LIMIT);
  }
}
