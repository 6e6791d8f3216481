/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.memory.MemoryQuarantine.Unmapper;
import java.util.ArrayDeque;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A ring gives regions back in the order in which they came, however it grew meanwhile. */
class RegionRingTest {
  private static final Unmapper ONE = (address, bytes, handle) -> {};
  private static final Unmapper OTHER = (address, bytes, handle) -> {};

  @Test
  void isAQueueWhateverIsDoneToIt() {
    long seed = Long.getLong("cistern.seed", System.nanoTime());
    System.out.println("RegionRingTest: -Dcistern.seed=" + seed);
    Random random = new Random(seed);
    int grownTurned = 0;
    for (int run = 0; run < 200; run++) {
      grownTurned += run(random, "cistern.seed=" + seed + ", run " + run);
    }
    assertThat(grownTurned).as("grown with the front elsewhere, seed %s", seed).isPositive();
  }

  /** Returns how often the ring grew with its front not where it began. */
  private static int run(Random random, String run) {
    RegionRing ring = new RegionRing(1 + random.nextInt(6));
    ArrayDeque<RegionRing.Taken> model = new ArrayDeque<>();
    int grownTurned = 0;
    int taken = 0;
    for (int operation = 0; operation < 200; operation++) {
      String when = run + ", operation " + operation;
      if (random.nextInt(100) < 45) {
        taken += model.isEmpty() ? 0 : 1;
        assertThat(ring.takeFirst()).as(when).isEqualTo(model.poll());
      } else {
        if (ring.isFull()) {
          grownTurned += taken % ring.length() == 0 ? 0 : 1;
          ring.grow(ring.length() + 1 + random.nextInt(5));
          taken = 0;
        }
        RegionRing.Taken region = anyRegion(random);
        ring.add(region.address(), region.bytes(), region.handle(), region.unmapper());
        model.add(region);
      }
      assertThat(ring.size()).as(when).isEqualTo(model.size());
      assertThat(ring.isFull()).as(when).isEqualTo(model.size() == ring.length());
      assertThat(ring.totalBytes())
          .as(when)
          .isEqualTo(model.stream().mapToLong(RegionRing.Taken::bytes).sum());
    }
    while (!model.isEmpty()) {
      assertThat(ring.takeFirst()).as(run).isEqualTo(model.poll());
    }
    assertThat(ring.takeFirst()).as(run).isNull();
    return grownTurned;
  }

  private static RegionRing.Taken anyRegion(Random random) {
    @Nullable Object handle = random.nextBoolean() ? null : random.nextInt(3);
    return new RegionRing.Taken(
        random.nextLong(), random.nextInt(1000), handle, random.nextBoolean() ? ONE : OTHER);
  }
}
