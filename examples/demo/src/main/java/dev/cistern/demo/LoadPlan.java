/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.demo;

import java.time.Duration;

/**
 * The bounds of a load; it ends at whichever comes first.
 *
 * @param connections connections open at a time, each with a thread of its own
 * @param limit longest time
 * @param maxRequests most requests, all connections together
 * @param requestsPerSecond rate over all connections; 0 is as fast as the answers come
 */
public record LoadPlan(
    int connections, Duration limit, long maxRequests, double requestsPerSecond) {
  private static final int MAX_CONNECTIONS = 256;

  /** Refuses a plan that would not end or would drown the machine. */
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
