/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The sizes that requests are rounded up to. */
@Tag("A6")
class SizeClassesTest {
  private static final int PAGE = 8 << 10;
  private static final int CHUNK = 4 << 20;

  @RegisterExtension final PoolUnderTest under = new PoolUnderTest();

  private final SizeClasses classes = new SizeClasses(PAGE, CHUNK, 0);

  @Test
  void aClassSizeIsNotRoundedUp() {
    for (int sizeClass = 0; sizeClass < classes.count(); sizeClass++) {
      assertThat(classes.of(classes.bytes(sizeClass))).isEqualTo(sizeClass);
    }
  }

  @Test
  void everyRequestGetsTheSmallestClassThatHoldsIt() {
    int sizeClass = 0;
    for (int request = 0; request <= CHUNK; request++) {
      if (request > classes.bytes(sizeClass)) {
        sizeClass++;
      }
      if (classes.of(request) != sizeClass) {
        assertThat(classes.of(request)).as("class of %d", request).isEqualTo(sizeClass);
      }
    }
    assertThat(sizeClass).isEqualTo(classes.count() - 1);
    assertThat(classes.bytes(sizeClass)).isEqualTo(CHUNK);
  }

  @Test
  void fromFourQuantaOnAtMostAFifthIsLost() {
    for (int sizeClass = 4; sizeClass < classes.count(); sizeClass++) {
      int worstRequest = classes.bytes(sizeClass - 1) + 1;
      double waste = 1 - (double) worstRequest / classes.bytes(sizeClass);
      assertThat(waste).as("waste in %d", classes.bytes(sizeClass)).isLessThanOrEqualTo(0.2);
    }
  }

  /**
   * Classes and extents, with default and with other pages, chunks and alignments. Up to four
   * quanta sizes are multiples of the quantum, the larger of 16 and the alignment: a request of 17
   * gets 32. Finer classes would need slots that are not aligned to it.
   */
  @ParameterizedTest
  @CsvSource({
    "8192, 4194304, 0",
    "4096, 131072, 0",
    "65536, 4194304, 0",
    "1048576, 33554432, 0",
    "8192, 4194304, 64",
    "8192, 4194304, 4096"
  })
  void everyRequestUpTo16MebibytesLosesAtMostAFifth(int page, int chunk, int alignment) {
    BufferPool pool =
        under.open(settings -> settings.pageBytes(page).chunkBytes(chunk).alignment(alignment));
    int quantum = Math.max(SizeClasses.QUANTUM, alignment);
    int last = 0;
    for (int request = 1; request <= Math.max(chunk, 16 << 20); request++) {
      int given = pool.usableBytes(request);
      int lost = given - request;
      boolean byQuantum = given <= 4 * quantum && lost < quantum;
      if (lost < 0 || given < last || (lost * 5L > given && !byQuantum)) {
        assertThat(given).as("given for %d", request).isGreaterThanOrEqualTo(last);
        assertThat(lost).as("lost of %d for %d", given, request).isBetween(0, given / 5);
      }
      last = given;
    }
  }

  @Test
  void aSubpageLosesAtMostASixteenthOfItsRun() {
    for (int sizeClass = 0; sizeClass < classes.subpageCount(); sizeClass++) {
      for (int growth = 0; growth <= SizeClasses.MAX_GROWTH_LOG2; growth++) {
        int run = classes.subpagePages(sizeClass, growth) * PAGE;
        int slots = run / classes.bytes(sizeClass);
        assertThat(slots)
            .isBetween(sizeClass < classes.smallCount() ? 4 : 2, RemoteFreeList.MAX_SLOTS);
        assertThat(run - slots * classes.bytes(sizeClass)).isLessThanOrEqualTo(run / 16);
      }
    }
  }

  @Test
  void subpagesGrowToFourTimesTheirLeastSizeAndToASixteenthOfAChunk() {
    for (int sizeClass = 0; sizeClass < classes.subpageCount(); sizeClass++) {
      int least = classes.runPages(sizeClass);
      int grown = classes.subpagePages(sizeClass, SizeClasses.MAX_GROWTH_LOG2);
      assertThat(least).isEqualTo(classes.subpagePages(sizeClass, 0));
      assertThat(grown).isGreaterThan(least).isLessThanOrEqualTo(4 * least);
      assertThat(grown * PAGE).isLessThanOrEqualTo(CHUNK / 16 + CHUNK / 128);
    }
  }

  @Test
  void aSubpageThatIsCutToItsRoomHasTwoSlotsAndLosesNoMore() {
    for (int sizeClass = 0; sizeClass < classes.subpageCount(); sizeClass++) {
      int least = classes.leastSubpagePages(sizeClass);
      int slotBytes = classes.bytes(sizeClass);
      assertThat(least).isLessThanOrEqualTo(classes.subpagePages(sizeClass, 0));
      for (int room = least; room <= CHUNK / 16 / PAGE; room++) {
        int run = classes.subpagePagesWithin(sizeClass, room) * PAGE;
        assertThat(run).isBetween(least * PAGE, room * PAGE);
        assertThat(run / slotBytes).isBetween(2, RemoteFreeList.MAX_SLOTS);
        assertThat(run % slotBytes).isLessThanOrEqualTo(run / 16);
      }
    }
  }

  @Test
  void runsOfNormalClassesAreWholePages() {
    for (int sizeClass = classes.subpageCount(); sizeClass < classes.count(); sizeClass++) {
      assertThat(classes.runPages(sizeClass) * PAGE).isEqualTo(classes.bytes(sizeClass));
    }
    assertThat(classes.bytes(classes.subpageCount() - 1)).isEqualTo(8 * PAGE);
    assertThat(classes.bytes(classes.smallCount())).isEqualTo(4 * PAGE);
  }

  @Test
  void alignmentMakesEveryClassAMultiple() {
    SizeClasses aligned = new SizeClasses(PAGE, CHUNK, 64);
    for (int request = 0; request <= 64 << 10; request++) {
      int bytes = aligned.bytes(aligned.of(request));
      if (bytes % 64 != 0 || bytes < request) {
        assertThat(bytes).as("aligned class of %d", request).isGreaterThanOrEqualTo(request);
        assertThat(bytes % 64).isZero();
      }
    }
    assertThat(aligned.bytes(aligned.of(192))).isEqualTo(192);
  }
}
