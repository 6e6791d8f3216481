/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * {@code /-/ready}: whether the next scrape can be answered, as it was found within the last
 * second: anybody may ask, as often as they like.
 */
final class ReadyPage implements Page {
  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;

  private static final long MAX_AGE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Hosts hosts;
  private final LongSupplier nanoTime;

  /** Guarded by this object's lock, as is the next. */
  private boolean isReady;

  /** Zero before the first time. */
  private long askedNanos;

  ReadyPage(Hosts hosts, LongSupplier nanoTime) {
    this.hosts = hosts;
    this.nanoTime = nanoTime;
  }

  @Override
  public Answer answer(Request request) {
    return ready();
  }

  /** To whoever asks. */
  Answer ready() {
    return isReady()
        ? Answer.line(OK, "Cistern is ready.")
        : Answer.line(UNAVAILABLE, "Cistern cannot ask its pools.");
  }

  private synchronized boolean isReady() {
    if (askedNanos == 0 || nanoTime.getAsLong() - askedNanos > MAX_AGE_NANOS) {
      isReady = canAsk();
      askedNanos = nanoTime.getAsLong();
    }
    return isReady;
  }

  private boolean canAsk() {
    try {
      hosts.all();
      return true;
    } catch (RuntimeException | LinkageError e) {
      return false;
    }
  }
}
