/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.page;

import dev.cistern.exporter.http.Page;
import dev.cistern.exporter.http.Request;
import dev.cistern.exporter.http.Response;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** An action on this process, such as {@code POST /debug/gc}. It runs up to once in ten seconds. */
public final class ActionPage implements Page {
  private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Supplier<String> action;
  private final LongSupplier nanoTime;

  /** Earliest start time of the next action. Written by any serving thread. */
  private final AtomicLong nextNanos;

  /**
   * Creates the page.
   *
   * @param action runs the action and returns its result in a line
   */
  public ActionPage(Supplier<String> action, LongSupplier nanoTime) {
    this.action = action;
    this.nanoTime = nanoTime;
    this.nextNanos = new AtomicLong(nanoTime.getAsLong());
  }

  @Override
  public Response respond(Request request) {
    long now = nanoTime.getAsLong();
    long next = nextNanos.get();
    if (now - next < 0 || !nextNanos.compareAndSet(next, now + INTERVAL_NANOS)) {
      return Response.line(
          Response.TOO_MANY_REQUESTS, "This action was requested less than 10 s ago.");
    }
    return Response.line(Response.OK, action.get());
  }
}
