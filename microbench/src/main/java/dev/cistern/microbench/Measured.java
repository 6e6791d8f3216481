/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The times of one case, by variant and round, and what follows from them. */
final class Measured {
  final Case of;
  private final Map<Variant, List<double[]>> rounds = new EnumMap<>(Variant.class);

  Measured(Case of) {
    this.of = of;
    of.variants().forEach(variant -> rounds.put(variant, new ArrayList<>()));
  }

  /** Adds the iterations of a round, in nanoseconds; none if the fork failed. */
  void add(Variant variant, double... nanos) {
    rounds(variant).add(nanos);
  }

  /** Returns the iterations by round, in the order in which they ran. */
  List<double[]> rounds(Variant variant) {
    return rounds.getOrDefault(variant, List.of());
  }

  /** Returns only the iterations that count. */
  private List<double[]> counted(Variant variant) {
    return of.countsMiddleHalf()
        ? rounds(variant).stream().map(Measured::middleHalf).toList()
        : rounds(variant);
  }

  private static double[] middleHalf(double[] iterations) {
    double[] sorted = iterations.clone();
    Arrays.sort(sorted);
    int quarter = sorted.length / 4;
    return Arrays.copyOfRange(sorted, quarter, sorted.length - quarter);
  }

  /** Returns the time of an operation, including the baseline. */
  Estimate gross(Variant variant) {
    return Estimate.ofTimes(counted(variant));
  }

  /** Returns the variants of a side, in the order of the case. */
  List<Variant> side(Variant.Side side) {
    return of.variants().stream().filter(variant -> variant.side() == side).toList();
  }

  /** Returns the time of an operation, net of the baseline if the case subtracts it. */
  Estimate time(Variant variant) {
    return of.isNet()
        ? Estimate.ofNetTime(counted(variant), counted(Variant.NOTHING))
        : gross(variant);
  }

  /** Returns the ratio of two variants, net of the baseline if the case subtracts it. */
  Estimate ratio(Variant ours, Variant other) {
    return of.isNet()
        ? Estimate.ofNetRatio(counted(ours), counted(other), counted(Variant.NOTHING))
        : Estimate.ofRatio(counted(ours), counted(other));
  }

  /**
   * Returns the interval of the mean of the rounds' ratios; unknown for few rounds, and net of a
   * baseline.
   */
  Estimate ratioInterval(Variant ours, Variant other) {
    return of.isNet()
        ? Estimate.ofTimes(List.of())
        : Estimate.ofRatioInterval(counted(ours), counted(other));
  }

  /** Returns the peer with the smallest time, or null if none was measured. */
  @Nullable Variant bestPeer() {
    Variant best = null;
    double least = Double.POSITIVE_INFINITY;
    for (Variant peer : side(Variant.Side.PEER)) {
      double nanos = time(peer).value();
      if (nanos < least) {
        best = peer;
        least = nanos;
      }
    }
    return best;
  }
}
