/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.demo;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a load.
 *
 * @param requests requests with a correct response
 * @param failures steps that failed
 * @param firstFailure message of the first failure
 * @param elapsed time from the first request to the last response
 */
public record LoadReport(
    long requests, long failures, @Nullable String firstFailure, Duration elapsed) {
  /** Returns the number of requests with a correct response per second. */
  public double requestsPerSecond() {
    return requests * 1e9 / Math.max(1, elapsed.toNanos());
  }
}
