/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.http;

import dev.cistern.exporter.http.EndpointFigures.Refusal;
import dev.cistern.exporter.http.ResponseMemory.ReservedResponse;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Router of requests. It finds the page of a path and turns its result into a response. A failure
 * in a page becomes a plain 500: it is counted, and its cause is never sent to the client.
 */
public final class Router implements HttpConnection.Handler {
  /** Prefix of the paths of the browser page's files, which do not appear in the list of paths. */
  public static final String ASSETS = "/assets/";

  private static final int METHOD_NOT_ALLOWED = 405;

  private final Map<String, Route> routes;
  private final AccessControl accessControl;
  private final EndpointFigures figures;
  private final ResponseMemory responseMemory;

  /** The clients that may see a page. */
  enum Access {
    /** All clients, even if authentication is configured. */
    HEALTH,
    /** All clients; only those with a login if authentication is configured. */
    OPEN,
    /** Clients with a login; clients on this machine if no login is configured. */
    TRUSTED,
    /**
     * The same clients as for {@link #TRUSTED}. The page performs an action, and so accepts only
     * POST.
     */
    ACTION,
    /** Clients with a login, on any machine. The page accepts only POST. */
    CONTROL
  }

  /**
   * A page with its access rule and its limit of concurrent threads.
   *
   * @param slots limit of concurrent threads; null for a page that never waits for a slot
   */
  public record Route(Page page, Access access, @Nullable PageSlots slots) {
    /** Returns the route of a page for health checks, which any client may see. */
    public static Route health(Page page) {
      return new Route(page, Access.HEALTH, null);
    }

    /** Returns the route of a page for all clients. */
    public static Route open(Page page, PageSlots slots) {
      return new Route(page, Access.OPEN, slots);
    }

    /** Returns the route of a page for clients on this machine, or for clients with a login. */
    public static Route trusted(Page page, PageSlots slots) {
      return new Route(page, Access.TRUSTED, slots);
    }

    /** Returns the route of an action for the same clients. The action limits its own rate. */
    public static Route action(Page page) {
      return new Route(page, Access.ACTION, null);
    }

    /** Returns the route of an action for clients with a login. */
    public static Route control(Page page, PageSlots slots) {
      return new Route(page, Access.CONTROL, slots);
    }

    boolean allows(String method) {
      return isAction() ? method.equals("POST") : method.equals("GET") || method.equals("HEAD");
    }

    boolean isAction() {
      return access == Access.ACTION || access == Access.CONTROL;
    }

    boolean isShownTo(ClientIdentity client) {
      return switch (access) {
        case HEALTH, OPEN -> true;
        case TRUSTED, ACTION -> client.isTrusted();
        case CONTROL -> client == ClientIdentity.AUTHENTICATED;
      };
    }
  }

  /**
   * Creates a router.
   *
   * @param routes routes by path
   * @param accessControl decides which requests are admitted
   * @param figures counts refused and failed requests
   */
  public Router(Map<String, Route> routes, AccessControl accessControl, EndpointFigures figures) {
    this.figures = figures;
    this.responseMemory = new ResponseMemory(Runtime.getRuntime().maxMemory(), figures);
    this.routes = routes;
    this.accessControl = accessControl;
  }

  @Override
  public ReservedResponse respond(Request request, PageSlots.Waiter waiter) throws IOException {
    // Do not keep the response in a variable: the client may take long to receive the body.
    return responseMemory.reserve(
        makeResponse(request, waiter), AcceptHeader.allowsGzip(request.header("Accept-Encoding")));
  }

  @Override
  public ReservedResponse refuse(MalformedRequestException malformed) throws IOException {
    if (malformed.isTooLarge()) {
      figures.refused(Refusal.LARGE);
    }
    return responseMemory.reserve(malformed.response(), false);
  }

  private Response makeResponse(Request request, PageSlots.Waiter waiter) throws IOException {
    Route route = route(request.path());
    boolean needsLogin = route == null || route.access() != Access.HEALTH;
    AccessControl.Admission admission = accessControl.admit(request, needsLogin);
    return admission.refusal() == null
        ? makeResponse(route, request.by(admission.client(), admission.user()), waiter)
        : admission.refusal();
  }

  private Response makeResponse(@Nullable Route route, Request request, PageSlots.Waiter waiter)
      throws IOException {
    if (route == null) {
      return Response.line(Response.NOT_FOUND, "Not found. Available paths: " + paths());
    }
    if (!route.allows(request.method())) {
      String allowed = route.isAction() ? "POST" : "GET, HEAD";
      return Response.line(METHOD_NOT_ALLOWED, "Allowed here: " + allowed + ".")
          .with(Map.of("Allow", allowed));
    }
    if (!route.isShownTo(request.client())) {
      return forbidden(route.page().forbidden());
    }
    if (route.isAction() && request.isOfForeignPage()) {
      return forbidden("Cross-origin requests are not allowed.");
    }
    return inSlot(route, request, waiter);
  }

  private Response inSlot(Route route, Request request, PageSlots.Waiter waiter)
      throws IOException {
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
      return page.respond(request);
    } catch (PageTooLargeException e) {
      figures.pageFailed();
      return Response.line(
          Response.UNAVAILABLE, "Cistern could not make this page: " + e.getMessage());
    } catch (IOException | RuntimeException | LinkageError | StackOverflowError e) {
      figures.pageFailed();
      return Response.line(Response.INTERNAL_ERROR, "Cistern could not make this page.");
    }
  }

  /**
   * Returns the route of a path. A page whose path ends with a slash also handles all paths below
   * it, except {@code /}.
   */
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
    headers.putAll(accessControl.headers());
    return headers;
  }
}
