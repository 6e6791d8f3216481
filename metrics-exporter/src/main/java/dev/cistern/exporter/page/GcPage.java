/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.page;

import dev.cistern.exporter.http.Answer;
import dev.cistern.exporter.http.Page;
import dev.cistern.exporter.http.Request;
import dev.cistern.exporter.report.TextFormat;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** {@code POST /debug/gc}: requests a garbage collection, at most once in ten seconds. */
public final class GcPage implements Page {
  private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Runnable collection;
  private final LongSupplier nanoTime;

  /** When the next may begin. Set by any serving thread. */
  private final AtomicLong nextNanos;

  /**
   * Creates the page.
   *
   * @param collection runs the collection
   */
  public GcPage(Runnable collection, LongSupplier nanoTime) {
    this.collection = collection;
    this.nanoTime = nanoTime;
    this.nextNanos = new AtomicLong(nanoTime.getAsLong());
  }

  @Override
  public Answer answer(Request request) {
    long now = nanoTime.getAsLong();
    long next = nextNanos.get();
    if (now - next < 0 || !nextNanos.compareAndSet(next, now + INTERVAL_NANOS)) {
      return Answer.line(
          Answer.TOO_MANY_REQUESTS, "Another collection was requested less than 10 s ago.");
    }
    collection.run();
    long millis = TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - now);
    return Answer.line(Answer.OK, "The collection took " + TextFormat.duration(millis) + ".");
  }
}
