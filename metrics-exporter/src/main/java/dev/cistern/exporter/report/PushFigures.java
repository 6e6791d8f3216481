/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

/**
 * Counters of the pushes to one receiver.
 *
 * @param pushes number of requests that the receiver accepted since start
 * @param bytes bytes of these requests, as they were sent
 * @param failures number of requests that failed since start, also of those that were tried again
 * @param dropped number of requests, or parts of one, that were not accepted since start and are
 *     not tried again
 * @param lastMillis time of the last request that was accepted, milliseconds since the epoch; 0 if
 *     none was
 */
public record PushFigures(long pushes, long bytes, long failures, long dropped, long lastMillis) {
  /** Nothing was pushed. */
  public static final PushFigures NONE = new PushFigures(0, 0, 0, 0, 0);

  /** Returns these with a request that the receiver accepted. */
  public PushFigures accepted(long requestBytes, long timeMillis) {
    return new PushFigures(pushes + 1, bytes + requestBytes, failures, dropped, timeMillis);
  }

  /** Returns these with a request that failed. */
  public PushFigures failed() {
    return new PushFigures(pushes, bytes, failures + 1, dropped, lastMillis);
  }

  /** Returns these with requests that are not tried again. */
  public PushFigures dropped(long requests) {
    return new PushFigures(pushes, bytes, failures, dropped + requests, lastMillis);
  }
}
