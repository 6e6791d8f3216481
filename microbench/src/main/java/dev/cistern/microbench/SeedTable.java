/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A table that compares our results with those of the seeds, in the units of the seeds. */
final class SeedTable {
  private static final String HEAD =
      """

      ## Beside the seeds

      The results of the seeds for the same benchmarks, before their change (or of the code that they compare it with) and after
      it, and the results of this run, in the unit of the seeds. They ran on other machines and other JVMs: only the ratios within
      one run are comparable. The seeds have no result for row I9. Row I8 needs a server: docs/internals/benchmarks.md names its
      result.

      | case | the seed's | before | after | times as fast | ours | Netty | JDK | unit | ours to Netty | ours to the JDK |
      |---|---|---|---|---|---|---|---|---|---|---|
      """;

  private SeedTable() {}

  /** Returns the table, or an empty text if no case has a published result. */
  static String of(List<Measured> cases) {
    StringBuilder rows = new StringBuilder();
    for (Measured one : cases) {
      SeedFigure figure = SeedFigures.of(one.of);
      if (figure != null) {
        rows.append(row(one, figure));
      }
    }
    return rows.isEmpty() ? "" : HEAD + rows;
  }

  private static String row(Measured one, SeedFigure figure) {
    Variant ours = one.side(Variant.Side.OURS).get(0);
    Variant jdk = one.of.variants().contains(Variant.JDK) ? Variant.JDK : null;
    Variant netty = one.side(Variant.Side.PEER).get(0);
    return String.format(
        Locale.ROOT,
        "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n",
        one.of.id,
        figure.benchmark(),
        SeedFigure.number(figure.before()),
        SeedFigure.number(figure.after()),
        times(figure.gain()),
        measured(one, ours, figure),
        measured(one, netty, figure),
        measured(one, jdk, figure),
        figure.unit().label(),
        faster(one, ours, netty),
        faster(one, ours, jdk));
  }

  private static String measured(Measured one, @Nullable Variant variant, SeedFigure figure) {
    return variant == null ? "" : SeedFigure.number(figure.unit().of(one.time(variant).value()));
  }

  private static String faster(Measured one, Variant ours, @Nullable Variant other) {
    return other == null ? "" : times(1 / one.ratio(ours, other).value());
  }

  private static String times(double factor) {
    return Double.isNaN(factor) ? "-" : String.format(Locale.ROOT, "%.2f", factor);
  }
}
