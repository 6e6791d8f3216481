/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

final class EstimateTest {
  @Test
  void takesTheMedianOfRoundsAndTheirRange() {
    Estimate odd = Estimate.ofTimes(List.of(nanos(10, 12), nanos(50), nanos(9, 9, 9)));
    assertThat(odd.value()).isEqualTo(11);
    assertThat(odd.least()).isEqualTo(9);
    assertThat(odd.most()).isEqualTo(50);

    assertThat(Estimate.ofTimes(List.of(nanos(10), nanos(20))).value()).isEqualTo(15);
  }

  @Test
  void dividesWithinARoundBeforeItTakesTheMedian() {
    // In the second round, the machine was half as fast for both variants.
    Estimate ratio =
        Estimate.ofRatio(
            List.of(nanos(10), nanos(22), nanos(8)), List.of(nanos(20), nanos(40), nanos(20)));
    assertThat(ratio.value()).isEqualTo(0.5);
    assertThat(ratio.least()).isEqualTo(0.4);
    assertThat(ratio.most()).isEqualTo(0.55);
  }

  @Test
  void propagatesTheErrorsOfBothSides() {
    List<double[]> ours = List.of(nanos(9, 10, 11));
    List<double[]> theirs = List.of(nanos(19, 20, 21));
    double oursError = Estimate.ofTimes(ours).error();
    double theirsError = Estimate.ofTimes(theirs).error();

    // Student's t for 99.9 % and 2 degrees of freedom is 31.6; the standard error is 1 / sqrt(3).
    assertThat(oursError).isCloseTo(31.6 / Math.sqrt(3), within(0.02));
    assertThat(Estimate.ofRatio(ours, theirs).error())
        .isCloseTo(
            0.5 * Math.sqrt(Math.pow(oursError / 10, 2) + Math.pow(theirsError / 20, 2)),
            within(1e-9));
  }

  @Test
  void saysThatItDoesNotKnowAnErrorFromTwoIterations() {
    Estimate time = Estimate.ofTimes(List.of(nanos(9, 10)));
    assertThat(time.error()).isNaN();
    assertThat(time.nanos()).isEqualTo("9.5 ± ?");
  }

  @Test
  void takesTheBaselineOffBothSidesOfARatio() {
    Estimate ratio =
        Estimate.ofNetRatio(List.of(nanos(30)), List.of(nanos(50)), List.of(nanos(10)));
    assertThat(ratio.value()).isEqualTo(0.5);
    assertThat(Estimate.ofNetTime(List.of(nanos(30)), List.of(nanos(10))).value()).isEqualTo(20);
  }

  @Test
  void addsTheErrorOfTheBaseline() {
    List<double[]> time = List.of(nanos(29, 30, 31));
    List<double[]> baseline = List.of(nanos(9, 10, 11));
    double error = Estimate.ofTimes(time).error();
    assertThat(Estimate.ofNetTime(time, baseline).error())
        .isCloseTo(error * Math.sqrt(2), within(1e-9));
  }

  @Test
  void knowsNoRatioIfABaselineTookAsLongAsTheWhole() {
    Estimate ratio =
        Estimate.ofNetRatio(
            List.of(nanos(30), nanos(9)),
            List.of(nanos(50), nanos(50)),
            List.of(nanos(10), nanos(10)));
    assertThat(ratio.isKnown()).isFalse();
    assertThat(ratio.ratio()).isEqualTo("-");
  }

  @Test
  void leavesOutARoundWhoseForkFailed() {
    Estimate ratio =
        Estimate.ofRatio(
            List.of(nanos(10), nanos(), nanos(30)), List.of(nanos(20), nanos(1), nanos(30)));
    assertThat(ratio.value()).isEqualTo(0.75);
    assertThat(ratio.least()).isEqualTo(0.5);

    assertThat(Estimate.ofTimes(List.of(nanos(), nanos())).nanos()).isEqualTo("-");
  }

  private static double[] nanos(double... iterations) {
    return iterations;
  }
}
