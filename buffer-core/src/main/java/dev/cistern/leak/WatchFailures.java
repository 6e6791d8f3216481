/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import java.util.concurrent.atomic.AtomicLong;

/** Counts what watching a buffer failed of; the first is logged. The buffer is used without. */
public final class WatchFailures {
  private static final AtomicLong COUNT = new AtomicLong();

  private WatchFailures() {}

  /** Counts one. Throws nothing. */
  public static void add(Throwable failure) {
    if (COUNT.getAndIncrement() > 0) {
      return;
    }
    try {
      System.getLogger(WatchFailures.class.getName())
          .log(
              System.Logger.Level.WARNING,
              "a buffer could not be watched for leaks, or not rest after its release, and is used"
                  + " without; logged once",
              failure);
    } catch (Throwable unlogged) {
      return; // it is counted
    }
  }

  /** How often watching a buffer failed. */
  public static long count() {
    return COUNT.get();
  }
}
