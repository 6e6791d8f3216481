/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The measured cases as a Markdown table, in the order in which they ran: each of ours against the
 * best peer, then against each other peer. Losses stand there like wins.
 */
final class Table {
  private static final String HEAD =
      """
      | case | ours | ns | against | ns | ours / it | by round | target | |
      |---|---|---|---|---|---|---|---|---|
      """;

  /** How far beyond its limit the upper end of an interval may be. */
  private static final double TOLERANCE = 0.01;

  private final StringBuilder text = new StringBuilder(HEAD);

  private Table() {}

  static String of(List<Measured> cases) {
    Table table = new Table();
    cases.forEach(table::add);
    return table.text.toString();
  }

  /** One case, without the head. */
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

  /** The best first; with a target against our own, that too. */
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

  /** Two digits, three where the third says something. */
  private static String limit(double limit) {
    String digits = String.format(Locale.ROOT, "%.3f", limit);
    return digits.endsWith("0") ? digits.substring(0, digits.length() - 1) : digits;
  }

  /** Where the best is pooled at its defaults, both targets hold, and so the smaller one. */
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

  /** No slower is also who cannot be told from as fast. */
  private static String byMedian(Estimate ratio, Estimate interval, double limit) {
    if (ratio.value() <= limit) {
      return "met";
    }
    boolean undecided = limit == 1.0 && interval.isKnown() && interval.least() <= limit;
    return undecided ? "met: 95 % " + interval.range() : "**not met**";
  }
}
