/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.http;

import dev.cistern.exporter.http.ResponseMemory.ReservedResponse;
import dev.cistern.exporter.http.EndpointFigures.Refusal;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the page of a path and makes the response of its answer. What goes wrong in a page becomes
 * a plain 500: the reason is counted, and never sent to whoever asked.
 */
public final class Router implements HttpConnection.Handler {
  /** Beginning of the paths of the browser page's parts, which are in no list of paths. */
  public static final String ASSETS = "/assets/";

  private static final int METHOD_NOT_ALLOWED = 405;

  private final Map<String, Route> routes;
  private final AccessControl gate;
  private final EndpointFigures figures;
  private final ResponseMemory bodies;

  /** The clients that may see a page. */
  enum Access {
    /** Everyone, whatever authentication there is. */
    HEALTH,
    /** Everyone, or everyone who has logged in where that is asked for. */
    OPEN,
    /** Clients on this machine, or those who have logged in. */
    TRUSTED,
    /** The same; it does something, and so answers POST only. */
    ACTION,
    /** Clients with a login, wherever they are; answers POST only. */
    CONTROL
  }

  /**
   * A page, who may see it, and what limits how many threads make it at a time.
   *
   * @param slots null for a page that never waits for others
   */
  public record Route(Page page, Access access, @Nullable PageSlots slots) {
    /** A page that whatever watches over the process may see. */
    public static Route health(Page page) {
      return new Route(page, Access.HEALTH, null);
    }

    /** A page for everyone. */
    public static Route open(Page page, PageSlots slots) {
      return new Route(page, Access.OPEN, slots);
    }

    /** A page for clients on this machine, or those who have logged in. */
    public static Route trusted(Page page, PageSlots slots) {
      return new Route(page, Access.TRUSTED, slots);
    }

    /** Something that these may have done. It limits itself. */
    public static Route action(Page page) {
      return new Route(page, Access.ACTION, null);
    }

    /** An action for clients with a login. */
    public static Route control(Page page, PageSlots slots) {
      return new Route(page, Access.CONTROL, slots);
    }

    boolean allows(String method) {
      return isAction() ? method.equals("POST") : method.equals("GET") || method.equals("HEAD");
    }

    boolean isAction() {
      return access == Access.ACTION || access == Access.CONTROL;
    }

    boolean isShownTo(ClientIdentity caller) {
      return switch (access) {
        case HEALTH, OPEN -> true;
        case TRUSTED, ACTION -> caller.isTrusted();
        case CONTROL -> caller == ClientIdentity.AUTHENTICATED;
      };
    }
  }

  /**
   * @param routes what there is, by path
   * @param gate whom to let in
   * @param figures takes what is refused and what fails
   */
  public Router(Map<String, Route> routes, AccessControl gate, EndpointFigures figures) {
    this.figures = figures;
    this.bodies = new ResponseMemory(Runtime.getRuntime().maxMemory(), figures);
    this.routes = routes;
    this.gate = gate;
  }

  @Override
  public ReservedResponse respond(Request request, PageSlots.Waiter waiter) throws IOException {
    // No variable keeps the whole answer while its client takes its time.
    return bodies.hold(
        answer(request, waiter), AcceptHeader.allowsGzip(request.header("Accept-Encoding")));
  }

  @Override
  public ReservedResponse refuse(MalformedRequestException malformed) throws IOException {
    if (malformed.isTooLarge()) {
      figures.refused(Refusal.LARGE);
    }
    return bodies.hold(malformed.answer(), false);
  }

  private Response answer(Request request, PageSlots.Waiter waiter) throws IOException {
    Route route = route(request.path());
    boolean needsLogin = route == null || route.access() != Access.HEALTH;
    AccessControl.Admission admission = gate.admit(request, needsLogin);
    return admission.refusal() == null
        ? answer(route, request.by(admission.caller(), admission.user()), waiter)
        : admission.refusal();
  }

  private Response answer(@Nullable Route route, Request request, PageSlots.Waiter waiter)
      throws IOException {
    if (route == null) {
      return Response.line(Response.NOT_FOUND, "Not found. What there is: " + paths());
    }
    if (!route.allows(request.method())) {
      String allowed = route.isAction() ? "POST" : "GET, HEAD";
      return Response.line(METHOD_NOT_ALLOWED, "Allowed here: " + allowed + ".")
          .with(Map.of("Allow", allowed));
    }
    if (!route.isShownTo(request.caller())) {
      return forbidden(route.page().forbidden());
    }
    if (route.isAction() && request.isOfForeignPage()) {
      return forbidden("A page of another site may not ask for this.");
    }
    return inSlot(route, request, waiter);
  }

  private Response inSlot(Route route, Request request, PageSlots.Waiter waiter) throws IOException {
    PageSlots slots = route.slots();
    if (slots == null) {
      return make(route.page(), request);
    }
    if (!slots.tryAcquire(waiter)) {
      figures.refused(Refusal.BUSY);
      return Response.line(Response.UNAVAILABLE, "Too many pages are being made.")
          .with(Map.of("Retry-After", "1"));
    }
    try {
      return make(route.page(), request);
    } finally {
      slots.release();
    }
  }

  private Response make(Page page, Request request) {
    try {
      return page.answer(request);
    } catch (PageTooLargeException e) {
      figures.pageFailed();
      return Response.line(Response.UNAVAILABLE, "Cistern could not make this page: " + e.getMessage());
    } catch (IOException | RuntimeException | LinkageError | StackOverflowError e) {
      figures.pageFailed();
      return Response.line(Response.INTERNAL_ERROR, "Cistern could not make this page.");
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

  private Response forbidden(String line) {
    figures.refused(Refusal.FORBIDDEN);
    return Response.line(Response.FORBIDDEN, line);
  }

  private String paths() {
    return routes.keySet().stream()
        .filter(path -> !path.startsWith(ASSETS))
        .sorted()
        .collect(Collectors.joining(" "));
  }

  @Override
  public Map<String, String> headers(ReservedResponse response) {
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.put("Content-Type", response.head().contentType());
    headers.put("Cache-Control", "no-store");
    headers.put("X-Content-Type-Options", "nosniff");
    headers.put("Vary", "Accept, Accept-Encoding");
    if (response.isZipped()) {
      headers.put("Content-Encoding", "gzip");
    }
    headers.putAll(response.head().headers());
    headers.putAll(gate.headers());
    return headers;
  }
}
