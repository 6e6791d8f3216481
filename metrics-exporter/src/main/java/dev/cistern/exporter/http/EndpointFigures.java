/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.http;

import dev.cistern.exporter.report.ExporterFigures;
import dev.cistern.exporter.report.ExporterState;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/** Counters of an endpoint. */
public final class EndpointFigures implements ExporterState.Source {
  /** Counters by {@link Refusal}. Written by any serving thread. */
  private final LongAdder[] refusals;

  /** Written by any serving thread. */
  private final LongAdder pageFailures = new LongAdder();

  /** Written by the accepting thread. */
  private final LongAdder connectionsRejected = new LongAdder();

  /** Reasons for refusing a request. */
  enum Refusal {
    /** No password or certificate, or a wrong one. */
    NO_LOGIN,
    /** The client has no permission, or a page of another origin sent the request. */
    FORBIDDEN,
    /** More than the configured rate. */
    RATE_LIMIT,
    /**
     * The limit of concurrent password checks, of concurrent pages, or of bytes being sent is
     * reached.
     */
    BUSY,
    /** The client did not send its request, or take its response, in time. */
    SLOW,
    /** The path is too long, or there are too many headers. */
    LARGE
  }

  public EndpointFigures() {
    int reasons = Refusal.values().length;
    refusals = IntStream.range(0, reasons).mapToObj(i -> new LongAdder()).toArray(LongAdder[]::new);
  }

  void refused(Refusal reason) {
    refusals[reason.ordinal()].increment();
  }

  void connectionRejected() {
    connectionsRejected.increment();
  }

  void pageFailed() {
    pageFailures.increment();
  }

  long refusals(Refusal reason) {
    return refusals[reason.ordinal()].sum();
  }

  @Override
  public void addTo(ExporterState to) {
    for (Refusal reason : Refusal.values()) {
      to.add("reason", reason.name().toLowerCase(Locale.ROOT), refusals(reason));
    }
    to.set(ExporterFigures.CONNECTIONS_REJECTED, connectionsRejected.sum());
    to.set(ExporterFigures.PAGE_FAILURES, pageFailures.sum());
  }
}
