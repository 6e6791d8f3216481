/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.util.ListStatistics;

/**
 * A time, or a ratio of times, from several rounds.
 *
 * @param value median over the rounds
 * @param error half the width of the 99.9 % interval of the mean; for a ratio, the propagated
 *     errors of both sides; {@code NaN} if there are too few iterations
 * @param least smallest value of a round
 * @param most largest value of a round
 */
record Estimate(double value, double error, double least, double most) {
  private static final double CONFIDENCE = 0.999;

  /** The minimum number of rounds for a meaningful interval of their ratios. */
  private static final int MIN_PAIRS = 10;

  private static final Estimate UNKNOWN =
      new Estimate(Double.NaN, Double.NaN, Double.NaN, Double.NaN);

  /**
   * Returns the time of one variant.
   *
   * @param rounds iterations by round; none for a fork that failed
   */
  static Estimate ofTimes(List<double[]> rounds) {
    double[] means = means(rounds);
    double[] all = rounds.stream().flatMapToDouble(Arrays::stream).toArray();
    double error = all.length < 3 ? Double.NaN : new ListStatistics(all).getMeanErrorAt(CONFIDENCE);
    return of(means, error);
  }

  /**
   * Returns the ratio of our time to theirs: the median of the ratios of all rounds. The forks of a
   * round run back to back. A round without iterations, because its fork failed, does not count.
   *
   * @return unknown if a time is not above 0, which can happen net of a baseline
   */
  static Estimate ofRatio(List<double[]> ours, List<double[]> theirs) {
    return ofRatio(means(ours), ofTimes(ours).error, means(theirs), ofTimes(theirs).error);
  }

  /**
   * Returns the median ratio with the 95 % confidence interval (Student's t) of the mean of the
   * rounds' ratios as its range. The result is unknown for fewer than {@link #MIN_PAIRS} rounds.
   */
  static Estimate ofRatioInterval(List<double[]> ours, List<double[]> theirs) {
    Estimate ratio = ofRatio(ours, theirs);
    double[] a = means(ours);
    double[] b = means(theirs);
    double[] ratios = new double[Math.min(a.length, b.length)];
    Arrays.setAll(ratios, round -> a[round] / b[round]);
    double[] sorted = known(ratios);
    if (!ratio.isKnown() || sorted.length < MIN_PAIRS) {
      return UNKNOWN;
    }
    double[] interval = new ListStatistics(sorted).getConfidenceIntervalAt(0.95);
    return new Estimate(ratio.value, ratio.error, interval[0], interval[1]);
  }

  /** Returns the ratio after subtracting the time of a baseline from both sides, by round. */
  static Estimate ofNetRatio(List<double[]> ours, List<double[]> theirs, List<double[]> baseline) {
    double baselineError = ofTimes(baseline).error;
    double[] off = means(baseline);
    return ofRatio(
        minus(means(ours), off),
        Math.hypot(ofTimes(ours).error, baselineError),
        minus(means(theirs), off),
        Math.hypot(ofTimes(theirs).error, baselineError));
  }

  /** Returns the time after subtracting the time of a baseline, by round. */
  static Estimate ofNetTime(List<double[]> rounds, List<double[]> baseline) {
    return of(
        minus(means(rounds), means(baseline)),
        Math.hypot(ofTimes(rounds).error, ofTimes(baseline).error));
  }

  private static Estimate ofRatio(
      double[] ours, double oursError, double[] theirs, double theirsError) {
    double[] ratios = new double[Math.min(ours.length, theirs.length)];
    for (int round = 0; round < ratios.length; round++) {
      if (ours[round] <= 0 || theirs[round] <= 0) {
        return UNKNOWN;
      }
      ratios[round] = ours[round] / theirs[round];
    }
    double relative = Math.hypot(oursError / median(ours), theirsError / median(theirs));
    return of(ratios, median(ratios) * relative);
  }

  private static Estimate of(double[] rounds, double error) {
    double[] sorted = known(rounds);
    return sorted.length == 0
        ? UNKNOWN
        : new Estimate(median(sorted), error, sorted[0], sorted[sorted.length - 1]);
  }

  private static double[] means(List<double[]> rounds) {
    return rounds.stream()
        .mapToDouble(round -> Arrays.stream(round).average().orElse(Double.NaN))
        .toArray();
  }

  private static double[] minus(double[] from, double[] off) {
    double[] left = new double[Math.min(from.length, off.length)];
    for (int i = 0; i < left.length; i++) {
      left[i] = from[i] - off[i];
    }
    return left;
  }

  /** Returns the sorted values, without those of failed forks. */
  private static double[] known(double[] values) {
    return Arrays.stream(values).filter(value -> !Double.isNaN(value)).sorted().toArray();
  }

  private static double median(double[] values) {
    double[] sorted = known(values);
    if (sorted.length == 0) {
      return Double.NaN;
    }
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** Returns whether there is a value. */
  boolean isKnown() {
    return !Double.isNaN(value);
  }

  /** Returns the time with its error, for a table. */
  String nanos() {
    if (!isKnown()) {
      return "-";
    }
    String format = Math.abs(value) < 100 ? "%.1f" : "%.0f";
    return number(format, value) + " ± " + (Double.isNaN(error) ? "?" : number(format, error));
  }

  /** Returns the ratio with its error, for a table. */
  String ratio() {
    if (!isKnown()) {
      return "-";
    }
    return number("%.2f", value) + " ± " + (Double.isNaN(error) ? "?" : number("%.2f", error));
  }

  /** Returns the range from the best round to the worst, for a table. */
  String range() {
    return isKnown() ? number("%.2f", least) + " to " + number("%.2f", most) : "-";
  }

  private static String number(String format, double number) {
    return String.format(Locale.ROOT, format, number);
  }
}
