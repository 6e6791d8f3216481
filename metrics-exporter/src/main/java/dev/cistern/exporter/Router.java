/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;

/**
 * Finds the page of a path and sends its answer. What goes wrong in a page becomes a plain 500: the
 * reason is counted, and never sent to whoever asked.
 */
final class Router implements HttpHandler {
  /** Below this, the gzip header costs more than it saves. */
  private static final int MIN_GZIP_BYTES = 512;

  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final int METHOD_NOT_ALLOWED = 405;
  private static final int INTERNAL_ERROR = 500;
  private static final long NO_BODY = -1;

  private final Map<String, Route> routes;
  private final SlowClientGuard guard;

  /** Written by any serving thread. */
  private final LongAdder failures = new LongAdder();

  /**
   * A page and who may see it.
   *
   * @param localOnly true if only clients on this machine may
   * @param isAction true if it does something, and so answers POST only
   */
  record Route(Page page, boolean localOnly, boolean isAction) {
    /** A page for everyone. */
    static Route open(Page page) {
      return new Route(page, false, false);
    }

    /** A page for clients on this machine. */
    static Route local(Page page) {
      return new Route(page, true, false);
    }

    /** Something that clients on this machine may have done. */
    static Route action(Page page) {
      return new Route(page, true, true);
    }

    boolean allows(String method) {
      return isAction ? method.equals("POST") : method.equals("GET") || method.equals("HEAD");
    }
  }

  /**
   * @param routes what there is, by path
   * @param guard the executor that calls this handler
   */
  Router(Map<String, Route> routes, SlowClientGuard guard) {
    this.routes = routes;
    this.guard = guard;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    Request request = new Request(exchange);
    guard.working();
    Answer answer = answer(request);
    boolean mayZip = AcceptHeader.allowsGzip(request.header("Accept-Encoding"));
    ZippedBody large = answer.zippedBody();
    boolean zipped;
    byte[] body = answer.body();
    if (large != null) {
      zipped = mayZip;
      body = large.zipped();
    } else {
      zipped = mayZip && answer.isCompressible() && body.length >= MIN_GZIP_BYTES;
      body = zipped ? gzip(body) : body;
    }
    guard.writing();
    try (exchange) {
      sendHeaders(exchange, answer, zipped);
      if (large != null && !zipped) {
        send(exchange, answer, large.plainBytes(), large::writePlain);
      } else {
        byte[] sent = body;
        send(exchange, answer, sent.length, out -> out.write(sent));
      }
    }
  }

  /** Returns the number of requests that failed inside a page. */
  long failures() {
    return failures.sum();
  }

  private Answer answer(Request request) {
    Route route = routes.get(request.path());
    if (route == null) {
      return Answer.line(NOT_FOUND, "Not found. What there is: " + paths());
    }
    if (!route.allows(request.method())) {
      String allowed = route.isAction() ? "POST" : "GET, HEAD";
      return Answer.line(METHOD_NOT_ALLOWED, "Allowed here: " + allowed + ".")
          .with(Map.of("Allow", allowed));
    }
    if (route.localOnly() && !request.isLocal()) {
      return Answer.line(FORBIDDEN, "This page is only for clients on the same machine.");
    }
    if (route.isAction() && request.isOfForeignPage()) {
      return Answer.line(FORBIDDEN, "A page of another site may not ask for this.");
    }
    try {
      return route.page().answer(request);
    } catch (IOException | RuntimeException | LinkageError | StackOverflowError e) {
      failures.increment();
      return Answer.line(INTERNAL_ERROR, "Cistern could not make this page.");
    }
  }

  private String paths() {
    return routes.keySet().stream().sorted().collect(Collectors.joining(" "));
  }

  private static void sendHeaders(HttpExchange exchange, Answer answer, boolean zipped) {
    Headers headers = exchange.getResponseHeaders();
    headers.set("Content-Type", answer.contentType());
    headers.set("Cache-Control", "no-store");
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("Vary", "Accept, Accept-Encoding");
    if (zipped) {
      headers.set("Content-Encoding", "gzip");
    }
    answer.headers().forEach(headers::set);
  }

  private static void send(
      HttpExchange exchange, Answer answer, long bytes, ZippedBody.Content body)
      throws IOException {
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.getResponseHeaders().set("Content-Length", Long.toString(bytes));
      exchange.sendResponseHeaders(answer.status(), NO_BODY);
      return;
    }
    exchange.sendResponseHeaders(answer.status(), bytes);
    body.write(exchange.getResponseBody());
  }

  private static byte[] gzip(byte[] body) throws IOException {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream(body.length / 4);
    try (GZIPOutputStream gzip = new GZIPOutputStream(zipped)) {
      gzip.write(body);
    }
    return zipped.toByteArray();
  }
}
