/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

/**
 * The last change of a copy's mode.
 *
 * @param source source of the change: {@code settings}, {@code attach}, {@code jmx}, {@code file},
 *     {@code sidecar}, {@code failure} or {@code back_off}; empty if that is unknown
 * @param timeMillis time of the change, in milliseconds since the epoch; 0 if unknown
 */
public record ModeChange(String source, long timeMillis) {
  /** An unknown change. */
  public static final ModeChange UNKNOWN = new ModeChange("", 0);
}
