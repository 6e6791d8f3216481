/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.web;

import dev.cistern.exporter.web.WebConfig.RateLimit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A token bucket. Each request takes one token. */
final class RateLimiter {
  private final LongSupplier nanoTime;

  /**
   * The limit for which the bucket was filled. Guarded by this object's lock, as all fields below.
   */
  private @Nullable RateLimit limit;

  private double tokens;
  private long filledNanos;

  RateLimiter(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Takes a token, and returns whether there was one. */
  synchronized boolean allows(RateLimit now) {
    long nanos = nanoTime.getAsLong();
    if (!now.equals(limit)) {
      limit = now;
      tokens = now.burst();
      filledNanos = nanos;
    }
    double fresh = (double) (nanos - filledNanos) / now.intervalNanos();
    tokens = Math.min(now.burst(), tokens + fresh);
    filledNanos = nanos;
    if (tokens < 1) {
      return false;
    }
    tokens--;
    return true;
  }
}
