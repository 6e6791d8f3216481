/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.micrometer;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * A sequence of reads by one thread, without a long pause and without a repeated meter, because
 * Micrometer does not report when a scrape begins. Used only by its thread, except for {@link
 * #isIdle}.
 */
public final class Scrape {
  /** Maximum duration of a scrape, as a multiple of the maximum age of a reading. */
  private static final int MAX_DURATION_FACTOR = 10;

  private final Reading reading;
  private final long maxAgeNanos;
  private final Set<BoundMeter> metersRead = Collections.newSetFromMap(new IdentityHashMap<>());

  /** Time of the last read. Written by the scraping thread, read by any thread. */
  private volatile long lastNanos;

  Scrape(Reading reading, long maxAgeNanos, long nowNanos) {
    this.reading = reading;
    this.maxAgeNanos = maxAgeNanos;
    this.lastNanos = nowNanos;
  }

  /** Returns whether the read of a meter belongs to a new scrape. */
  boolean isOver(BoundMeter meter, long nowNanos) {
    return metersRead.contains(meter)
        || isIdle(nowNanos)
        || reading.ageNanos(nowNanos) > MAX_DURATION_FACTOR * maxAgeNanos;
  }

  boolean isIdle(long nowNanos) {
    return nowNanos - lastNanos > maxAgeNanos;
  }

  double value(BoundMeter meter, long nowNanos) {
    metersRead.add(meter);
    lastNanos = nowNanos;
    return reading.value(meter.series());
  }
}
