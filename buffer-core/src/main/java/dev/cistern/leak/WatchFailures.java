/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The number of failures of leak detection, which leave a buffer untracked. The first failure is
 * logged.
 */
public final class WatchFailures {
  private static final AtomicLong COUNT = new AtomicLong();

  private WatchFailures() {}

  /** Counts a failure. Throws nothing. */
  public static void add(Throwable failure) {
    if (COUNT.getAndIncrement() > 0) {
      return;
    }
    try {
      System.getLogger(WatchFailures.class.getName())
          .log(
              System.Logger.Level.WARNING,
              "cannot track a buffer or a channel, or quarantine a released buffer;"
                  + " the application is not affected; further failures are only counted",
              failure);
    } catch (Throwable unlogged) {
      return; // the failure is counted
    }
  }

  /** Returns the number of failures. */
  public static long count() {
    return COUNT.get();
  }
}
