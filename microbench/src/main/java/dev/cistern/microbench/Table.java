/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The measured cases as a Markdown table, in the order in which they ran. Each row compares one of
 * our variants with a peer, the best peer first. The table includes losses.
 */
final class Table {
  private static final String HEAD =
      """
      | case | ours | ns | against | ns of it | ours / it | by round | target | |
      |---|---|---|---|---|---|---|---|---|
      """;

  /** The tolerated excess of the upper end of an interval over its limit, as a share. */
  private static final double TOLERANCE = 0.01;

  private final StringBuilder text = new StringBuilder(HEAD);

  private Table() {}

  static String of(List<Measured> cases) {
    Table table = new Table();
    cases.forEach(table::add);
    return table.text.toString();
  }

  /** Returns the rows of one case, without the header. */
  static String rows(Measured one) {
    Table table = new Table();
    table.text.setLength(0);
    table.add(one);
    return table.text.toString();
  }

  private void add(Measured one) {
    Variant best = one.bestPeer();
    for (Variant ours : one.side(Variant.Side.OURS)) {
      for (Variant other : opponents(one, best)) {
        if (other != ours) {
          row(one, ours, other, other == best);
        }
      }
    }
    if (one.of.isNet()) {
      text.append(
          String.format(
              Locale.ROOT,
              "| %s | | | nothing: taken off above | %s | | | | |\n",
              one.of.id,
              one.gross(Variant.NOTHING).nanos()));
    }
  }

  /**
   * Returns the variants to compare with, the best first. If the target compares with our own
   * variant without leak detection, it is included.
   */
  private static List<Variant> opponents(Measured one, @Nullable Variant best) {
    List<Variant> opponents = new ArrayList<>();
    if (!Double.isNaN(one.of.target().ofOursWithout())) {
      one.side(Variant.Side.OURS).stream()
          .filter(Variant::isWithoutDetection)
          .forEach(opponents::add);
    }
    if (best != null) {
      opponents.add(best);
    }
    for (Variant peer : one.side(Variant.Side.PEER)) {
      if (peer != best) {
        opponents.add(peer);
      }
    }
    if (one.of.variants().contains(Variant.FLOOR)) {
      opponents.add(Variant.FLOOR);
    }
    return opponents;
  }

  private void row(Measured one, Variant ours, Variant other, boolean best) {
    Estimate ratio = one.ratio(ours, other);
    double limit = limit(one.of.target(), other, best);
    text.append(
        String.format(
            Locale.ROOT,
            "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n",
            one.of.id,
            ours.label(),
            one.time(ours).nanos(),
            best ? "best: " + other.label() : other.label(),
            one.time(other).nanos(),
            ratio.ratio(),
            ratio.range(),
            Double.isNaN(limit) ? "" : limit(limit),
            verdict(one, ours, other, limit)));
  }

  /** Formats a limit with two digits, or three if the third is not 0. */
  private static String limit(double limit) {
    String digits = String.format(Locale.ROOT, "%.3f", limit);
    return digits.endsWith("0") ? digits.substring(0, digits.length() - 1) : digits;
  }

  /**
   * Returns the limit. If the best peer is the pooled allocator at its defaults, both targets hold,
   * and the smaller one applies.
   */
  private static double limit(Target target, Variant other, boolean best) {
    if (other.side() == Variant.Side.OURS) {
      return target.ofOursWithout();
    }
    if (other == Variant.FLOOR) {
      return target.ofFloor();
    }
    double limit = best ? target.ofBest() : Double.NaN;
    if (other != Variant.POOLED || Double.isNaN(target.ofPooled())) {
      return limit;
    }
    return Double.isNaN(limit) ? target.ofPooled() : Math.min(limit, target.ofPooled());
  }

  private static String verdict(Measured one, Variant ours, Variant other, double limit) {
    Estimate ratio = one.ratio(ours, other);
    if (Double.isNaN(limit)) {
      return "";
    }
    if (!ratio.isKnown()) {
      return "unknown";
    }
    Estimate interval = one.ratioInterval(ours, other);
    return switch (one.of.target().rule()) {
      case MEDIAN -> byMedian(ratio, interval, limit);
      case INTERVAL -> byInterval(interval, limit);
      case WORST -> byWorst(one.time(ours), one.time(other), limit);
    };
  }

  private static String byInterval(Estimate interval, double limit) {
    return interval.isKnown()
        ? String.format(
            Locale.ROOT,
            "%s: 95 %% %.3f to %.3f",
            interval.most() <= limit * (1 + TOLERANCE) ? "met" : "**missed**",
            interval.least(),
            interval.most())
        : "unknown: too few rounds for an interval";
  }

  private static String byWorst(Estimate ours, Estimate other, double limit) {
    double worst = ours.most() / other.value();
    return String.format(
        Locale.ROOT, "%s: worst %.3f", worst <= limit ? "met" : "**missed**", worst);
  }

  /**
   * Returns the verdict by the median. "No slower" is also met if the interval includes the limit.
   */
  private static String byMedian(Estimate ratio, Estimate interval, double limit) {
    if (ratio.value() <= limit) {
      return "met";
    }
    boolean undecided = limit == 1.0 && interval.isKnown() && interval.least() <= limit;
    return undecided ? "met: 95 % " + interval.range() : "**not met**";
  }
}
