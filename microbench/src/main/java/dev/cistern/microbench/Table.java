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
            Double.isNaN(limit) ? "" : String.format(Locale.ROOT, "%.2f", limit),
            verdict(ratio, one.ratioInterval(ours, other), limit)));
  }

  /** Where the best is pooled at its defaults, both targets hold, and so the smaller one. */
  private static double limit(Target target, Variant other, boolean best) {
    if (other.side() == Variant.Side.OURS) {
      return target.ofOursWithout();
    }
    double limit = best ? target.ofBest() : Double.NaN;
    if (other != Variant.POOLED || Double.isNaN(target.ofPooled())) {
      return limit;
    }
    return Double.isNaN(limit) ? target.ofPooled() : Math.min(limit, target.ofPooled());
  }

  /** No slower is also who cannot be told from as fast. */
  private static String verdict(Estimate ratio, Estimate interval, double limit) {
    if (Double.isNaN(limit)) {
      return "";
    }
    if (!ratio.isKnown()) {
      return "unknown";
    }
    if (ratio.value() <= limit) {
      return "met";
    }
    boolean undecided = limit == 1.0 && interval.isKnown() && interval.least() <= limit;
    return undecided ? "met: 95 % " + interval.range() : "**not met**";
  }
}
