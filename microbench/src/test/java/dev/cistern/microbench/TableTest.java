/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TableTest {
  @Test
  void comparesWithTheBestPeerFirstAndThenWithTheRemainingOnes() {
    Measured one =
        measured(Target.PAIR_LOOP, Variant.LIBRARY, Variant.POOLED, Variant.ADAPTIVE_BEST);
    one.add(Variant.LIBRARY, 9, 9, 9);
    one.add(Variant.POOLED, 36, 36, 36);
    one.add(Variant.ADAPTIVE_BEST, 15, 15, 15);

    assertThat(rows(one))
        .containsExactly(
            "| pair/loop | library | 9.0 ± 0.0 | best: adaptive, best | 15.0 ± 0.0 | 0.60 ± 0.00"
                + " | 0.60 to 0.60 | 0.65 | met |",
            "| pair/loop | library | 9.0 ± 0.0 | pooled | 36.0 ± 0.0 | 0.25 ± 0.00 | 0.25 to 0.25"
                + " | 0.30 | met |");
  }

  @Test
  void showsALossLikeAWinAndInTheOrderOfTheRun() {
    Measured lost = measured(Target.PAIR_LOOP, Variant.LIBRARY, Variant.ADAPTIVE_BEST);
    lost.add(Variant.LIBRARY, 30, 30, 30);
    lost.add(Variant.ADAPTIVE_BEST, 15, 15, 15);
    Measured won = measured(Target.PAIR_LOOP, Variant.LIBRARY, Variant.ADAPTIVE_BEST);
    won.add(Variant.LIBRARY, 5, 5, 5);
    won.add(Variant.ADAPTIVE_BEST, 15, 15, 15);

    List<String> lines = Table.of(List.of(lost, won)).lines().toList();
    assertThat(lines).hasSize(4);
    assertThat(lines.get(2)).contains("| 2.00 ± 0.00 |").endsWith("| 0.65 | **not met** |");
    assertThat(lines.get(3)).contains("| 0.33 ± 0.00 |").endsWith("| 0.65 | met |");
  }

  @Test
  void dropsTheSlowestAndTheFastestQuarterIfTheCaseRequiresIt() {
    Measured one =
        new Measured(
            new Case(
                    "hand-off/loop",
                    "HandOffBenchmark.handOff",
                    ThreadKind.LOOP,
                    List.of(Variant.LIBRARY, Variant.POOLED))
                .netOfNothing()
                .countingMiddleHalf());
    one.add(Variant.LIBRARY, 2000, 30, 1, 30);
    one.add(Variant.POOLED, 50, 50, 90, 1);
    one.add(Variant.NOTHING, 0, 10, 500, 10);

    assertThat(rows(one).get(0)).contains("| 20.0 ± ? |", "| 40.0 ± ? |", "| 0.50 ± ? |");
    assertThat(rows(one).get(1)).contains("taken off above | 10.0 ± ? |");
    assertThat(one.rounds(Variant.LIBRARY).get(0)).containsExactly(2000, 30, 1, 30);
  }

  @Test
  void appliesBothTargetsToPooledIfItIsTheBest() {
    Measured one = measured(Target.CROWD, Variant.LIBRARY, Variant.POOLED, Variant.ADAPTIVE_BEST);
    one.add(Variant.LIBRARY, 40);
    one.add(Variant.POOLED, 100);
    one.add(Variant.ADAPTIVE_BEST, 120);

    assertThat(rows(one).get(0)).contains("best: pooled").endsWith("| 0.30 | **not met** |");
    assertThat(rows(one).get(1)).endsWith("|  |  |");
  }

  @Test
  void comparesLeakDetectionWithTheVariantWithoutIt() {
    Measured one =
        measured(
            Target.LEAKS,
            Variant.BRIDGE_SAMPLED,
            Variant.BRIDGE_DEFAULTS,
            Variant.BRIDGE,
            Variant.ADAPTIVE_LEAKS);
    one.add(Variant.BRIDGE_SAMPLED, 11);
    one.add(Variant.BRIDGE_DEFAULTS, 13);
    one.add(Variant.BRIDGE, 10);
    one.add(Variant.ADAPTIVE_LEAKS, 20);

    assertThat(rows(one)).hasSize(5);
    assertThat(rows(one).get(0)).contains("| bridge | 10.0").endsWith("| 1.10 | met |");
    assertThat(rows(one).get(2)).contains("| bridge | 10.0").endsWith("| 1.10 | **not met** |");
  }

  @Test
  void showsTheSubtractedBaseline() {
    Measured one =
        new Measured(
            new Case(
                    "hand-off/loop",
                    "HandOffBenchmark.handOff",
                    ThreadKind.LOOP,
                    List.of(Variant.LIBRARY, Variant.POOLED))
                .netOfNothing()
                .aimingAt(Target.SHARED));
    one.add(Variant.LIBRARY, 30);
    one.add(Variant.POOLED, 50);
    one.add(Variant.NOTHING, 10);

    assertThat(rows(one).get(0)).contains("| 20.0 ± ? |", "| 40.0 ± ? |", "| 0.50 ± ? |");
    assertThat(rows(one).get(1)).contains("taken off above | 10.0 ± ? |");
  }

  @Test
  void acceptsAsNoSlowerIfTheIntervalIncludesTheLimit() {
    Measured one = measured(Target.NO_SLOWER, Variant.LIBRARY, Variant.POOLED_BEST);
    for (int round = 0; round < 9; round++) {
      one.add(Variant.LIBRARY, round % 3 == 0 ? 9 : 10.1);
      one.add(Variant.POOLED_BEST, 10);
    }
    assertThat(rows(one).get(0)).contains("| 1.01 ").endsWith("| 1.00 | **not met** |");
    one.add(Variant.LIBRARY, 10.1);
    one.add(Variant.POOLED_BEST, 10);
    assertThat(rows(one).get(0)).contains("| 1.01 ").endsWith("| 1.00 | met: 95 % 0.94 to 1.02 |");

    Measured slower = measured(Target.NO_SLOWER, Variant.LIBRARY, Variant.POOLED_BEST);
    for (int round = 0; round < 10; round++) {
      slower.add(Variant.LIBRARY, round % 3 == 0 ? 10.1 : 10.2);
      slower.add(Variant.POOLED_BEST, 10);
    }
    assertThat(rows(slower).get(0)).endsWith("| 1.00 | **not met** |");
  }

  @Test
  void judgesAnIntervalByItsUpperEndWhichMayBeOnePercentBeyond() {
    assertThat(rows(pairs(59.9, 60.1, 10)).get(0)).endsWith("| 0.60 | met: 95 % 0.599 to 0.601 |");
    assertThat(rows(pairs(60.4, 60.6, 10)).get(0)).endsWith("| 0.60 | met: 95 % 0.604 to 0.606 |");
    assertThat(rows(pairs(60.5, 60.7, 10)).get(0))
        .endsWith("| 0.60 | **missed**: 95 % 0.605 to 0.607 |");
    assertThat(rows(pairs(40, 80, 10)).get(0))
        .contains("| 0.60 ± ")
        .endsWith("| 0.60 | **missed**: 95 % 0.449 to 0.751 |");
    assertThat(rows(pairs(30, 30, 9)).get(0))
        .endsWith("| 0.60 | unknown: too few rounds for an interval |");
  }

  @Test
  void appliesTheTargetOfTheLowerBoundToo() {
    Measured one = pairs(47, 49, 10);
    assertThat(rows(one)).hasSize(2);
    assertThat(rows(one).get(1)).contains("| floor | 40.0 ").contains("| 1.20 | **missed**: 95 % ");
    assertThat(rows(pairs(47, 48, 10)).get(1)).contains("| 1.20 | met: 95 % ");
  }

  /**
   * Returns a case whose first variant takes each of two times in every second round. The peer
   * takes 100 and the lower bound takes 40.
   */
  private static Measured pairs(double oneTime, double otherTime, int rounds) {
    Measured one =
        measured(Target.ENGINE_PAIR_LOOP, Variant.LIBRARY, Variant.ADAPTIVE_BEST, Variant.FLOOR);
    for (int round = 0; round < rounds; round++) {
      one.add(Variant.LIBRARY, round % 2 == 0 ? oneTime : otherTime);
      one.add(Variant.ADAPTIVE_BEST, 100);
      one.add(Variant.FLOOR, 40);
    }
    return one;
  }

  @Test
  void judgesTheStartByOurSlowestRoundAndTheMedianOfTheBestPeer() {
    Measured one =
        measured(Target.ENGINE_START, Variant.LIBRARY, Variant.POOLED_BEST, Variant.ADAPTIVE_BEST);
    one.add(Variant.LIBRARY, 50);
    one.add(Variant.LIBRARY, 99);
    one.add(Variant.LIBRARY);
    for (double nanos : new double[] {80, 100, 300}) {
      one.add(Variant.POOLED_BEST, nanos);
      one.add(Variant.ADAPTIVE_BEST, 2 * nanos);
    }
    assertThat(rows(one).get(0)).contains("best: pooled").endsWith("| 1.00 | met: worst 0.990 |");
    one.add(Variant.LIBRARY, 101);
    assertThat(rows(one).get(0)).endsWith("| 1.00 | **missed**: worst 1.010 |");
  }

  @Test
  void printsTheThirdDigitOfATargetThatHasOne() {
    Measured one = measured(Target.ENGINE_RUN, Variant.LIBRARY, Variant.ADAPTIVE_BEST);
    one.add(Variant.LIBRARY, 10);
    one.add(Variant.ADAPTIVE_BEST, 100);
    assertThat(rows(one).get(0)).contains("| 0.165 |");
  }

  @Test
  void leavesATargetOpenWithoutMeasurements() {
    Measured one = measured(Target.PAIR_LOOP, Variant.LIBRARY, Variant.POOLED);
    one.add(Variant.LIBRARY);
    one.add(Variant.POOLED, 50);

    assertThat(rows(one).get(0)).contains("| library | - |").endsWith("| unknown |");
  }

  private static Measured measured(Target target, Variant... variants) {
    return new Measured(
        new Case("pair/loop", "PairBenchmark.direct", ThreadKind.LOOP, Arrays.asList(variants))
            .aimingAt(target));
  }

  private static List<String> rows(Measured one) {
    return Table.rows(one).lines().toList();
  }
}
