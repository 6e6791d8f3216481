/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.cistern.exporter.BodySpace.Held;
import dev.cistern.exporter.EndpointFigures.Refusal;
import java.io.IOException;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the page of a path and sends its answer. What goes wrong in a page becomes a plain 500: the
 * reason is counted, and never sent to whoever asked.
 */
final class Router implements HttpHandler {
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final int METHOD_NOT_ALLOWED = 405;
  private static final int INTERNAL_ERROR = 500;
  private static final int UNAVAILABLE = 503;
  private static final long NO_BODY = -1;

  private final Map<String, Route> routes;
  private final SlowClientGuard guard;
  private final Gate gate;
  private final EndpointFigures figures;
  private final BodySpace bodies;

  /** Who may see a page. */
  enum Access {
    /** Everyone, whatever authentication there is. */
    HEALTH,
    /** Everyone, or everyone who has logged in where that is asked for. */
    OPEN,
    /** Clients on this machine, or those who have logged in. */
    TRUSTED,
    /** The same; it does something, and so answers POST only. */
    ACTION
  }

  /** A page and who may see it. */
  record Route(Page page, Access access) {
    /** A page that whatever watches over the process may see. */
    static Route health(Page page) {
      return new Route(page, Access.HEALTH);
    }

    /** A page for everyone. */
    static Route open(Page page) {
      return new Route(page, Access.OPEN);
    }

    /** A page for clients on this machine, or those who have logged in. */
    static Route trusted(Page page) {
      return new Route(page, Access.TRUSTED);
    }

    /** Something that these may have done. */
    static Route action(Page page) {
      return new Route(page, Access.ACTION);
    }

    boolean allows(String method) {
      return isAction() ? method.equals("POST") : method.equals("GET") || method.equals("HEAD");
    }

    boolean isAction() {
      return access == Access.ACTION;
    }

    boolean isShownTo(Caller caller) {
      return access == Access.HEALTH || access == Access.OPEN || caller.isTrusted();
    }
  }

  /**
   * @param routes what there is, by path
   * @param guard the executor that calls this handler
   * @param gate whom to let in
   * @param figures takes what is refused and what fails
   */
  Router(Map<String, Route> routes, SlowClientGuard guard, Gate gate, EndpointFigures figures) {
    this.figures = figures;
    this.bodies = new BodySpace(Runtime.getRuntime().maxMemory(), figures);
    this.routes = routes;
    this.guard = guard;
    this.gate = gate;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    Request request = new Request(exchange);
    guard.received();
    boolean mayZip = AcceptHeader.allowsGzip(request.header("Accept-Encoding"));
    // No variable keeps the whole answer while its client takes its time.
    try (exchange;
        Held held = bodies.hold(answer(request), mayZip)) {
      guard.writing();
      sendHeaders(exchange, held.head(), held.isZipped());
      send(exchange, held);
    }
  }

  private Answer answer(Request request) {
    Answer tooLarge = RequestSize.refusal(request.exchange());
    if (tooLarge != null) {
      figures.refused(Refusal.LARGE);
      return tooLarge;
    }
    Route route = route(request.path());
    boolean needsLogin = route == null || route.access() != Access.HEALTH;
    Gate.Admission admission = gate.admit(request, needsLogin);
    return admission.refusal() == null
        ? answer(route, request.by(admission.caller()))
        : admission.refusal();
  }

  private Answer answer(@Nullable Route route, Request request) {
    guard.working();
    if (route == null) {
      return Answer.line(NOT_FOUND, "Not found. What there is: " + paths());
    }
    if (!route.allows(request.method())) {
      String allowed = route.isAction() ? "POST" : "GET, HEAD";
      return Answer.line(METHOD_NOT_ALLOWED, "Allowed here: " + allowed + ".")
          .with(Map.of("Allow", allowed));
    }
    if (!route.isShownTo(request.caller())) {
      return forbidden("This page is only for clients on the same machine, or with a login.");
    }
    if (route.isAction() && request.isOfForeignPage()) {
      return forbidden("A page of another site may not ask for this.");
    }
    try {
      return route.page().answer(request);
    } catch (PageTooLargeException e) {
      figures.pageFailed();
      return Answer.line(UNAVAILABLE, "Cistern could not make this page: " + e.getMessage());
    } catch (IOException | RuntimeException | LinkageError | StackOverflowError e) {
      figures.pageFailed();
      return Answer.line(INTERNAL_ERROR, "Cistern could not make this page.");
    }
  }

  /** A page whose path ends with a slash answers for all below it, too; {@code /} does not. */
  private @Nullable Route route(String path) {
    Route route = routes.get(path);
    if (route != null) {
      return route;
    }
    int slash = path.indexOf('/', 1);
    String first = slash < 0 ? "" : path.substring(0, slash + 1);
    return routes.get(first);
  }

  private Answer forbidden(String line) {
    figures.refused(Refusal.FORBIDDEN);
    return Answer.line(FORBIDDEN, line);
  }

  private String paths() {
    return routes.keySet().stream()
        .filter(path -> !path.startsWith(PageAssets.PREFIX))
        .sorted()
        .collect(Collectors.joining(" "));
  }

  private void sendHeaders(HttpExchange exchange, Answer answer, boolean zipped) {
    Headers headers = exchange.getResponseHeaders();
    headers.set("Content-Type", answer.contentType());
    headers.set("Cache-Control", "no-store");
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("Vary", "Accept, Accept-Encoding");
    if (zipped) {
      headers.set("Content-Encoding", "gzip");
    }
    answer.headers().forEach(headers::set);
    gate.headers().forEach(headers::set);
    if (guard.isBusy()) {
      // Else one client with many requests in a row would come before all that wait.
      headers.set("Connection", "close");
    }
  }

  private static void send(HttpExchange exchange, Held held) throws IOException {
    int status = held.head().status();
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.getResponseHeaders().set("Content-Length", Long.toString(held.sentBytes()));
      exchange.sendResponseHeaders(status, NO_BODY);
      return;
    }
    if (held.sentBytes() == 0) {
      exchange.sendResponseHeaders(status, NO_BODY);
      return;
    }
    exchange.sendResponseHeaders(status, held.sentBytes());
    held.write(exchange.getResponseBody());
  }
}
