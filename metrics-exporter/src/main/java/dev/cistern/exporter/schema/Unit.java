/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.schema;

/** Unit of a figure. A row stores whole numbers; seconds are stored as milli- or nanoseconds. */
public enum Unit {
  /** A number of items. */
  COUNT("", 1),
  /** Bytes. */
  BYTES("bytes", 1),
  /** Seconds, stored in milliseconds. */
  MILLIS("seconds", 1e3),
  /** Seconds, stored in microseconds. */
  MICROS("seconds", 1e6),
  /** Seconds, stored in nanoseconds. */
  NANOS("seconds", 1e9);

  private final String label;
  private final double stored;

  Unit(String label, double stored) {
    this.label = label;
    this.stored = stored;
  }

  /** Returns its name in metrics, such as {@code bytes}; empty for a count. */
  public String label() {
    return label;
  }

  /** Returns a stored value in this unit. */
  public double of(long value) {
    return value / stored;
  }
}
