/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.push;

import dev.cistern.exporter.http.ZippedBody;
import dev.cistern.exporter.report.PushFigures;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Pushes at an interval. A push ends after {@link #MAX_ATTEMPTS} failed attempts, or when the next
 * one is due. Requests that are not accepted until then are dropped and counted. They are not kept,
 * because the next push has newer data.
 */
final class PushLoop implements Runnable {
  /** Maximum number of failed attempts of one push, of all its requests together. */
  static final int MAX_ATTEMPTS = 3;

  private static final int TOO_MANY_REQUESTS = 429;

  /** The statuses, besides 429, with which OTLP permits another attempt. */
  private static final List<Integer> PASSING = List.of(502, 503, 504);

  private static final long BACK_OFF_MILLIS = 1_000;

  private final Requests requests;
  private final PushOptions options;
  private final PushClock clock;
  private final HttpPost post;
  private final PushLog log;

  /** Failed attempts that are left in this push. */
  private int attemptsLeft;

  /**
   * Earliest time of the next request, as the receiver requested, by {@link PushClock#nanoTime}.
   */
  private long notBeforeNanos;

  /** Written by the thread that pushes, read by any thread. */
  private volatile PushFigures figures = PushFigures.NONE;

  PushLoop(
      Requests requests,
      PushOptions options,
      Consumer<String> log,
      PushClock clock,
      HttpPost post) {
    this.requests = requests;
    this.options = options;
    this.clock = clock;
    this.post = post;
    this.log = new PushLog(options, log);
    this.notBeforeNanos = clock.nanoTime();
  }

  /** Returns the figures of the pushes. */
  PushFigures figures() {
    return figures;
  }

  /** Pushes until the clock ends it, for the first time after one interval. */
  @Override
  public void run() {
    long interval = options.interval().toNanos();
    long due = clock.nanoTime() + interval;
    while (clock.sleepUntil(due)) {
      long next = due + interval;
      pushAll(next);
      due = next;
      while (due - clock.nanoTime() < 0 || due - notBeforeNanos < 0) {
        due += interval; // a slow receiver misses a push; the interval stays
      }
    }
  }

  /** Pushes all requests. Survives any failure, because the next push may succeed. */
  private void pushAll(long deadline) {
    PushFigures before = figures;
    attemptsLeft = MAX_ATTEMPTS;
    try {
      List<? extends Requests.Pending> pending = requests.pending();
      for (int i = 0; i < pending.size(); i++) {
        String cause = push(pending.get(i), deadline);
        if (cause != null) {
          drop(cause, pending.size() - i);
          return;
        }
      }
      if (figures.pushes() > before.pushes() && figures.dropped() == before.dropped()) {
        log.arrived();
      }
    } catch (Throwable failure) {
      survive(failure);
    }
  }

  /** Counts and logs a failure. Memory may be too short even for that. */
  private void survive(Throwable failure) {
    try {
      figures = figures.failed();
      drop(failure.toString(), 1);
    } catch (Throwable again) {
      // The next push counts the failures.
    }
  }

  private void drop(String cause, long dropped) {
    figures = figures.dropped(dropped);
    log.dropped(cause, dropped, clock.nanoTime());
  }

  /**
   * Pushes one request.
   *
   * @return the reason why the receiver takes no requests now; null if more requests can be pushed
   */
  private @Nullable String push(Requests.Pending pending, long deadline) {
    byte[] request;
    try {
      request = pending.encode();
    } catch (IOException | RuntimeException | LinkageError e) {
      figures = figures.failed();
      drop("cannot make the request: " + e, 1);
      return null;
    }
    return request == null ? null : push(pending, request, deadline);
  }

  private @Nullable String push(Requests.Pending pending, byte[] request, long deadline) {
    while (true) {
      Attempt attempt = attempt(request);
      String cause = attempt.cause();
      if (cause == null) {
        pending.accepted();
        figures = figures.accepted(attempt.bytes(), clock.millis());
        if (attempt.rejected() > 0) {
          drop("the receiver rejected parts of a request", attempt.rejected());
        }
        return null;
      }
      figures = figures.failed();
      if (!attempt.isPassing()) {
        drop(cause, 1);
        return null;
      }
      attemptsLeft--;
      long now = clock.nanoTime();
      notBeforeNanos = now + TimeUnit.MILLISECONDS.toNanos(attempt.retryAfterMillis());
      long again = now + TimeUnit.MILLISECONDS.toNanos(waitMillis(attempt));
      if (attemptsLeft == 0 || again - deadline >= 0 || !clock.sleepUntil(again)) {
        return cause;
      }
    }
  }

  /**
   * Returns the wait that the receiver requests, but no less than a back-off with a random part.
   */
  private long waitMillis(Attempt attempt) {
    long backOff = BACK_OFF_MILLIS << (2 * (MAX_ATTEMPTS - 1 - attemptsLeft));
    long random = backOff / 2 + ThreadLocalRandom.current().nextLong(backOff / 2 + 1);
    return Math.max(attempt.retryAfterMillis(), random);
  }

  /**
   * The outcome of a request.
   *
   * @param cause cause of the failure; null if the request was accepted
   * @param isPassing whether another attempt can have another outcome
   * @param retryAfterMillis the wait that the receiver requests
   * @param bytes bytes that were sent
   * @param rejected parts that were refused although the request was accepted
   */
  private record Attempt(
      @Nullable String cause, boolean isPassing, long retryAfterMillis, long bytes, long rejected) {
    static Attempt failed(String cause, boolean isPassing, long retryAfterMillis) {
      return new Attempt(cause, isPassing, retryAfterMillis, 0, 0);
    }
  }

  private Attempt attempt(byte[] request) {
    try {
      byte[] body =
          options.format().isZipped() ? ZippedBody.of(out -> out.write(request)).zipped() : request;
      HttpPost.Response response = post.send(options.url(), headers(), body);
      int status = response.status();
      if (status >= 200 && status < 300) {
        long rejected = options.format().rejected(response.body());
        return new Attempt(null, false, 0, body.length, rejected);
      }
      return Attempt.failed(
          cause(status),
          status == TOO_MANY_REQUESTS || PASSING.contains(status),
          RetryAfter.millis(response.retryAfter(), clock.millis()));
    } catch (SSLException e) {
      return Attempt.failed("TLS: " + e.getMessage(), false, 0);
    } catch (IOException e) {
      String cause = e.getClass() == IOException.class ? e.getMessage() : e.toString();
      return Attempt.failed(String.valueOf(cause), true, 0);
    } catch (RuntimeException | LinkageError e) {
      // The message may contain a header.
      return Attempt.failed(e.getClass().getName(), false, 0);
    }
  }

  private static String cause(int status) {
    return status >= 300 && status < 400
        ? "status " + status + ", a redirect, which is not followed"
        : "status " + status;
  }

  private Map<String, String> headers() throws IOException {
    Map<String, String> headers = new HashMap<>(options.headers());
    headers.put("User-Agent", "cistern");
    headers.putAll(options.format().headers());
    if (options.format().isZipped()) {
      headers.put("Content-Encoding", "gzip");
    }
    PushCredentials credentials = options.credentials();
    if (credentials != null) {
      headers.put("Authorization", credentials.header());
    }
    return headers;
  }
}
