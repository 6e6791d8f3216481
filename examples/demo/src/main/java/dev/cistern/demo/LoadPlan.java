/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.demo;

import java.time.Duration;

/**
 * The bounds of a load, which ends at the first limit that it reaches.
 *
 * @param connections connections that are open at the same time, each with a separate thread
 * @param limit maximum duration
 * @param maxRequests maximum number of requests over all connections
 * @param requestsPerSecond rate over all connections; 0 for no limit
 */
public record LoadPlan(
    int connections, Duration limit, long maxRequests, double requestsPerSecond) {
  private static final int MAX_CONNECTIONS = 256;

  /** Rejects a plan that would not end or would overload the machine. */
  public LoadPlan {
    if (connections < 1 || connections > MAX_CONNECTIONS) {
      throw new IllegalArgumentException(
          "connections must be from 1 to " + MAX_CONNECTIONS + ", not " + connections);
    }
    if (limit.isNegative() || limit.isZero() || maxRequests < 1 || requestsPerSecond < 0) {
      throw new IllegalArgumentException(
          "time and requests must be positive: " + limit + ", " + maxRequests);
    }
  }
}
