/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import com.sun.net.httpserver.HttpServer;
import dev.cistern.exporter.ExporterOptions.WebConfigFrom;
import dev.cistern.exporter.Router.Route;
import dev.cistern.exporter.web.WebSecurity;
import dev.cistern.util.DaemonThreads;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Serves a host's metrics, leaks, live profile and page for people over the HTTP server of the JDK.
 *
 * <p>Nothing of it keeps the process alive, touches system properties, or keeps the starter's
 * context class loader. It needs the module {@code jdk.httpserver}: ask {@link HttpServerModule}
 * first, before this class is loaded. Starting it initialises {@code java.util.logging}, which some
 * application servers want to configure first: an agent starts it after the application's main
 * class has begun.
 */
public final class ExporterServer implements AutoCloseable {
  private static final int DEFAULT_BACKLOG = 0;
  private static final int OK = 200;

  /** Less than the page waits before it asks again. */
  private static final long STATE_AGE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final HttpServer server;
  private final SlowClientGuard guard;
  private final String scheme;

  private ExporterServer(HttpServer server, SlowClientGuard guard, String scheme) {
    this.scheme = scheme;
    this.server = server;
    this.guard = guard;
  }

  /**
   * Binds and starts, with {@link ExporterOptions#DEFAULT}.
   *
   * @param listen {@code host:port}; port 0 for any free one
   * @param source what to serve
   * @throws IllegalArgumentException if {@code listen} is malformed
   * @throws IOException if the host is unknown or the port is taken
   */
  public static ExporterServer start(String listen, StatsSource source) throws IOException {
    return start(listen, source, ExporterOptions.DEFAULT);
  }

  /**
   * Binds and starts.
   *
   * @param listen {@code host:port}; port 0 for any free one
   * @param source what to serve
   * @throws IllegalArgumentException if {@code listen} is malformed
   * @throws IOException if the host is unknown, the port is taken, or the web configuration cannot
   *     be used
   */
  public static ExporterServer start(String listen, StatsSource source, ExporterOptions options)
      throws IOException {
    return start(listen, Hosts.of(source), options, null);
  }

  /**
   * Binds and starts a sidecar's server.
   *
   * @param listen {@code host:port}; port 0 for any free one
   * @param hosts the hosts that it watches
   * @param sidecar what it tells beside them
   * @throws IllegalArgumentException if {@code listen} is malformed
   * @throws IOException if the host is unknown, the port is taken, or the web configuration cannot
   *     be used
   */
  public static ExporterServer start(
      String listen, Hosts hosts, ExporterOptions options, @Nullable SidecarSource sidecar)
      throws IOException {
    InetSocketAddress address = ListenAddress.parse(listen);
    EndpointFigures figures = new EndpointFigures();
    SlowClientGuard guard = new SlowClientGuard(figures);
    Gated gated = gated(options.webConfig(), figures, guard);
    HttpServer server;
    try {
      server = gated.binder().bind(address);
    } catch (IOException e) {
      guard.close();
      throw new IOException("listen: " + listen + " (" + e.getMessage() + ")", e);
    }
    Families.Part own =
        to -> {
          figures.addTo(to);
          gated.figures().addTo(to);
          if (sidecar != null) {
            sidecar.report().addTo(to);
          }
        };
    Map<String, Route> routes =
        routes(hosts, options, sidecar, new CisternCollector(hosts, options, own));
    server.setExecutor(guard);
    server.createContext("/", new Router(routes, guard, gated.gate(), figures));
    startAsDaemon(server);
    return new ExporterServer(server, guard, gated.scheme());
  }

  /** A kind of server, and who may use it. */
  private record Gated(Binder binder, Gate gate, Families.Part figures, String scheme) {}

  private interface Binder {
    HttpServer bind(InetSocketAddress address) throws IOException;
  }

  /** Without a web configuration nothing of TLS, YAML and bcrypt is loaded. */
  private static Gated gated(
      @Nullable WebConfigFrom webConfig, EndpointFigures figures, SlowClientGuard guard)
      throws IOException {
    if (webConfig == null) {
      return new Gated(a -> HttpServer.create(a, DEFAULT_BACKLOG), Gate.LOCAL, to -> {}, "http");
    }
    try {
      WebSecurity security = WebSecurity.read(webConfig.file(), webConfig.log());
      WebGate gate = new WebGate(security, figures);
      String scheme = security.hasTls() ? "https" : "http";
      if (security.hasTls()) {
        guard.expectHandshakes();
      }
      return new Gated(a -> security.bind(a, DEFAULT_BACKLOG), gate, gate, scheme);
    } catch (IOException | RuntimeException e) {
      guard.close();
      throw e;
    }
  }

  private static Map<String, Route> routes(
      Hosts hosts,
      ExporterOptions options,
      @Nullable SidecarSource sidecar,
      CisternCollector collector) {
    Map<String, Route> routes = new HashMap<>();
    Hosts recent = new RecentHosts(hosts, STATE_AGE_NANOS, System::nanoTime);
    PageAssets.pages().forEach((path, page) -> routes.put(path, Route.open(page)));
    routes.put("/state", Route.open(new StatePage(recent)));
    routes.put("/metrics", Route.open(new MetricsPage(collector)));
    routes.put("/leaks", Route.trusted(new ReportPage(hosts, LeaksText::write, LeaksJson::write)));
    routes.put("/live", Route.trusted(new ReportPage(hosts, LiveText::write, LiveJson::write)));
    routes.put("/debug/pprof/heap", Route.trusted(new ProfilePage(hosts)));
    routes.put("/-/healthy", Route.health(request -> Answer.line(OK, "Cistern is healthy.")));
    routes.put("/-/ready", Route.health(new ReadyPage(hosts, System::nanoTime)));
    if (sidecar == null) {
      routes.put("/debug/dump", Route.action(new DumpPage(options.dump())));
    } else {
      PostMortemPage postMortems = new PostMortemPage(sidecar.postMortems());
      routes.put(PostMortemPage.PATH, Route.trusted(postMortems));
    }
    return routes;
  }

  /** The server's own thread takes over what its starter is: a daemon. */
  private static void startAsDaemon(HttpServer server) {
    Thread starter = DaemonThreads.create("cistern-exporter-start", server::start);
    starter.start();
    boolean interrupted = false;
    while (starter.isAlive()) {
      try {
        starter.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns {@code https} if it has TLS, else {@code http}. */
  public String scheme() {
    return scheme;
  }

  /** Returns the port that it listens on. */
  public int port() {
    return server.getAddress().getPort();
  }

  /** Stops listening and drops the connections. */
  @Override
  public void close() {
    server.stop(0);
    guard.close();
  }
}
