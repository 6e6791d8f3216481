/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A bitmap of free pages, compared with a model. */
@Tag("A3")
class PageBitmapTest {
  private static final int PAGES = 512;

  private record Taken(int start, int count) {}

  @Test
  void takesTheFirstRunThatIsLongEnoughAndMergesFreedRuns() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    PageBitmap bitmap = new PageBitmap(PAGES);
    BitSet used = new BitSet(PAGES);
    List<Taken> taken = new ArrayList<>();
    for (int step = 0; step < 50_000; step++) {
      if (taken.isEmpty() || random.nextInt(100) < 55) {
        int count = 1 + random.nextInt(random.nextBoolean() ? 4 : 130);
        int start = firstFit(used, count);
        if (start >= 0) {
          assertThat(bitmap.freeFrom(start, PAGES))
              .as("free in a row, seed %d step %d", seed, step)
              .isEqualTo(freeFrom(used, start));
        }
        assertThat(take(bitmap, count)).as("seed %d step %d", seed, step).isEqualTo(start);
        if (start >= 0) {
          used.set(start, start + count);
          taken.add(new Taken(start, count));
        }
      } else {
        Taken back = taken.remove(random.nextInt(taken.size()));
        used.clear(back.start, back.start + back.count);
        bitmap.give(back.start, back.count);
      }
      assertThat(bitmap.freePages()).as("seed %d", seed).isEqualTo(PAGES - used.cardinality());
    }
  }

  private static int freeFrom(BitSet used, int start) {
    int end = used.nextSetBit(start);
    return (end < 0 ? PAGES : end) - start;
  }

  private static int take(PageBitmap bitmap, int count) {
    int start = bitmap.find(count);
    if (start >= 0) {
      bitmap.take(start, count);
    }
    return start;
  }

  private static int firstFit(BitSet used, int count) {
    for (int start = used.nextClearBit(0); start + count <= PAGES; ) {
      int end = used.nextSetBit(start);
      if (end < 0 || end - start >= count) {
        return start;
      }
      start = used.nextClearBit(end);
    }
    return -1;
  }

  @Test
  void servesPageSizedRequestsToTheLastPage() {
    PageBitmap bitmap = new PageBitmap(PAGES);
    for (int page = 0; page < PAGES; page++) {
      assertThat(take(bitmap, 1)).isEqualTo(page);
    }
    assertThat(take(bitmap, 1)).isEqualTo(-1);
    bitmap.give(77, 1);
    assertThat(bitmap.isFree(77)).isTrue();
    assertThat(take(bitmap, 1)).isEqualTo(77);
  }

  @Test
  void aRunMayCrossWords() {
    PageBitmap bitmap = new PageBitmap(PAGES);
    assertThat(take(bitmap, 60)).isZero();
    assertThat(take(bitmap, 200)).isEqualTo(60);
    bitmap.give(60, 200);
    assertThat(take(bitmap, 452)).isEqualTo(60);
    assertThat(bitmap.freePages()).isZero();
  }
}
