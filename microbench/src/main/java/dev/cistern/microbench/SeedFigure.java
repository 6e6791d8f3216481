/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.util.Locale;

/**
 * The published result of a seed benchmark. It was measured on another machine. Only its gain and
 * our ratios within one run are comparable.
 *
 * @param benchmark the seed's name of the benchmark
 * @param before result before the change, or of the compared code
 * @param after result with the change
 */
record SeedFigure(String benchmark, Unit unit, double before, double after) {
  /** The unit of a seed's result. */
  enum Unit {
    OPERATIONS_PER_SECOND("ops/s"),
    OPERATIONS_PER_MILLISECOND("ops/ms"),
    NANOSECONDS("ns/op");

    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MILLISECOND = 1e6;

    private final String label;

    Unit(String label) {
      this.label = label;
    }

    /** Returns the unit as the seed writes it. */
    String label() {
      return label;
    }

    /** Converts one of our times to this unit. */
    double of(double nanos) {
      return switch (this) {
        case OPERATIONS_PER_SECOND -> NANOS_PER_SECOND / nanos;
        case OPERATIONS_PER_MILLISECOND -> NANOS_PER_MILLISECOND / nanos;
        case NANOSECONDS -> nanos;
      };
    }
  }

  /** Returns how many times as fast the benchmark was with the change. */
  double gain() {
    return unit == Unit.NANOSECONDS ? before / after : after / before;
  }

  /** Returns the number with three or four digits: 204 M, 38.7 k, 4358, 52.3. */
  static String number(double value) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return "-";
    }
    if (value >= 999.5e3) {
      return digits(value / 1e6) + " M";
    }
    return value >= 9999.5 ? digits(value / 1e3) + " k" : digits(value);
  }

  private static String digits(double value) {
    String format = value >= 99.95 ? "%.0f" : value >= 9.995 ? "%.1f" : "%.2f";
    return String.format(Locale.ROOT, format, value);
  }
}
