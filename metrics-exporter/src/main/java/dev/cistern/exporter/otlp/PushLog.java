/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.otlp;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What the exporter logs of its own, in one line a minute at most. */
final class PushLog extends Handler {
  /** Above the exporter's own classes and all that it brings. Held, since its manager would not. */
  private static final Logger EXPORTER = Logger.getLogger("io.prometheus.metrics.shaded");

  private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Consumer<String> log;

  /** When the next line may be written. Changed by any thread that pushes. */
  private final AtomicLong nextNanos = new AtomicLong(System.nanoTime());

  private PushLog(Consumer<String> log) {
    this.log = log;
  }

  /** Takes the exporter's lines from now on. */
  static PushLog open(Consumer<String> log) {
    PushLog handler = new PushLog(log);
    synchronized (EXPORTER) { // others may push, too
      EXPORTER.addHandler(handler);
      EXPORTER.setUseParentHandlers(false);
    }
    return handler;
  }

  @Override
  public void publish(LogRecord entry) {
    long now = System.nanoTime();
    long next = nextNanos.get();
    if (isLoggable(entry) && now - next >= 0 && nextNanos.compareAndSet(next, now + MINUTE_NANOS)) {
      log.accept("OTLP push: " + entry.getMessage());
    }
  }

  @Override
  public void flush() {
    // Nothing is kept.
  }

  @Override
  public void close() {
    synchronized (EXPORTER) {
      EXPORTER.removeHandler(this);
      EXPORTER.setUseParentHandlers(EXPORTER.getHandlers().length == 0);
    }
  }
}
