/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.micrometer;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * A run of reads by one thread without a long pause, each meter once at most. Micrometer does not
 * say where a scrape begins. Its thread only uses it, except for {@link #isIdle}.
 */
public final class Scrape {
  /** A scrape of so many times the age that a reading may have is none. */
  private static final int LONGEST = 10;

  private final Reading reading;
  private final long maxAgeNanos;
  private final Set<BoundMeter> asked = Collections.newSetFromMap(new IdentityHashMap<>());

  /** Written by its thread, read by any. */
  private volatile long lastNanos;

  Scrape(Reading reading, long maxAgeNanos, long nowNanos) {
    this.reading = reading;
    this.maxAgeNanos = maxAgeNanos;
    this.lastNanos = nowNanos;
  }

  /** Whether that meter is asked for another scrape than this one. */
  boolean isOver(BoundMeter meter, long nowNanos) {
    return asked.contains(meter)
        || isIdle(nowNanos)
        || reading.ageNanos(nowNanos) > LONGEST * maxAgeNanos;
  }

  boolean isIdle(long nowNanos) {
    return nowNanos - lastNanos > maxAgeNanos;
  }

  double value(BoundMeter meter, long nowNanos) {
    asked.add(meter);
    lastNanos = nowNanos;
    return reading.value(meter.series());
  }
}
