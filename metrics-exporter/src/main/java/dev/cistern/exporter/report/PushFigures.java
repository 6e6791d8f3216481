/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

/**
 * Counters of the pushes to one receiver.
 *
 * @param pushes number of requests that the receiver accepted since start
 * @param bytes bytes of the accepted requests, as they were sent
 * @param failures number of requests that failed since start, including those that were repeated
 * @param dropped number of requests, or parts of a request, that were not accepted since start and
 *     are not repeated
 * @param lastMillis time of the last accepted request, in milliseconds since the epoch; 0 if there
 *     is none
 */
public record PushFigures(long pushes, long bytes, long failures, long dropped, long lastMillis) {
  /** Counters before the first push. */
  public static final PushFigures NONE = new PushFigures(0, 0, 0, 0, 0);

  /** Returns these counters with another accepted request. */
  public PushFigures accepted(long requestBytes, long timeMillis) {
    return new PushFigures(pushes + 1, bytes + requestBytes, failures, dropped, timeMillis);
  }

  /** Returns these counters with another failed request. */
  public PushFigures failed() {
    return new PushFigures(pushes, bytes, failures + 1, dropped, lastMillis);
  }

  /** Returns these counters with requests that are not repeated. */
  public PushFigures dropped(long requests) {
    return new PushFigures(pushes, bytes, failures, dropped + requests, lastMillis);
  }
}
