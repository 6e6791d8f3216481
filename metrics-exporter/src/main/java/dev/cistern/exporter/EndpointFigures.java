/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What an endpoint counts of itself. */
final class EndpointFigures implements Families.Part {
  private static final double MILLIS_PER_SECOND = 1e3;

  /** Written by any serving thread, by {@link Refusal}. */
  private final LongAdder[] refusals;

  /** Written by any serving thread. */
  private final LongAdder pageFailures = new LongAdder();

  /** Written by the accepting thread. */
  private final LongAdder connectionsRejected = new LongAdder();

  /** Why a request got no page. */
  enum Refusal {
    /** No password or certificate, or a wrong one. */
    NO_LOGIN,
    /** Not for this client, or asked for by a foreign page. */
    FORBIDDEN,
    /** More than the configured rate. */
    RATE_LIMIT,
    /** Too many passwords were being compared, pages being made, or bytes being sent. */
    BUSY,
    /** The client did not send its request, or take its response, in time. */
    SLOW,
    /** Too long a path, or too many headers. */
    LARGE
  }

  EndpointFigures() {
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
  public void addTo(Families to) {
    Stream.of(Refusal.values())
        .forEach(
            reason ->
                to.add(
                    Metric.REQUESTS_REFUSED,
                    refusals(reason),
                    reason.name().toLowerCase(Locale.ROOT)));
    to.add(Metric.CONNECTIONS_REJECTED, connectionsRejected.sum());
    to.add(Metric.PAGE_FAILURES, pageFailures.sum());
  }

  /**
   * Adds what there is to say of a web configuration file.
   *
   * @param loadedMillis when the version in force was read, milliseconds since the epoch
   * @param expiryMillis when the certificate ends; 0 without TLS
   */
  static void addWebConfig(Families to, long reloadFailures, long loadedMillis, long expiryMillis) {
    to.add(Metric.WEB_CONFIG_RELOAD_FAILURES, reloadFailures);
    to.add(Metric.WEB_CONFIG_LOAD_SECONDS, loadedMillis / MILLIS_PER_SECOND);
    if (expiryMillis != 0) {
      to.add(Metric.WEB_CERTIFICATE_EXPIRY_SECONDS, expiryMillis / MILLIS_PER_SECOND);
    }
  }
}
