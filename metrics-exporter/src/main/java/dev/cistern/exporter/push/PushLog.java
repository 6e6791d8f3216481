/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.push;

import dev.cistern.exporter.report.TextFormat;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Log of pushes. It logs the first push that drops profiles, pushes that fail for another cause, up
 * to one a minute, and the first push that succeeds again. Used by one thread.
 */
final class PushLog {
  private static final int MAX_CAUSE = 200;
  private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final PushOptions to;
  private final Consumer<String> log;

  /** Cause of the last line; empty while pushes arrive. */
  private String lastCause = "";

  private long lastNanos;

  /** Number of profiles that were dropped since pushes began to fail. */
  private long dropped;

  PushLog(PushOptions to, Consumer<String> log) {
    this.to = to;
    this.log = log;
  }

  /**
   * Logs dropped profiles.
   *
   * @param cause the cause, without secrets
   */
  void dropped(String cause, long profiles, long nowNanos) {
    dropped += profiles;
    boolean isNew = lastCause.isEmpty();
    if (isNew || (!cause.equals(lastCause) && nowNanos - lastNanos >= MINUTE_NANOS)) {
      lastCause = cause;
      lastNanos = nowNanos;
      String plain = TextFormat.plain(cause);
      write(
          "cannot push "
              + to.format().what()
              + " to "
              + to.endpoint()
              + ": "
              + plain.substring(0, Math.min(MAX_CAUSE, plain.length()))
              + "; this push is dropped, the next one is tried");
    }
  }

  /** Logs that all profiles of a push arrived, after a failure. */
  void arrived() {
    if (!lastCause.isEmpty()) {
      lastCause = "";
      write("pushes to " + to.endpoint() + " arrive again; dropped: " + dropped);
      dropped = 0;
    }
  }

  private void write(String line) {
    try {
      log.accept(line);
    } catch (Throwable failed) {
      // The application's log failed. The figures remain.
    }
  }
}
