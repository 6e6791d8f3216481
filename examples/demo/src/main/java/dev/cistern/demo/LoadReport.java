/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.demo;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a load did.
 *
 * @param requests answered as they had to be
 * @param failures steps that failed
 * @param firstFailure message of the first of them
 * @param elapsed time from the first request to the last answer
 */
public record LoadReport(
    long requests, long failures, @Nullable String firstFailure, Duration elapsed) {
  /** Requests answered per second. */
  public double requestsPerSecond() {
    return requests * 1e9 / Math.max(1, elapsed.toNanos());
  }
}
