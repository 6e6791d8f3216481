/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import com.sun.net.httpserver.HttpServer;
import dev.cistern.exporter.Router.Route;
import dev.cistern.util.DaemonThreads;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Serves a host's metrics, leaks, live profile and landing page over the HTTP server of the JDK.
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

  private final HttpServer server;
  private final SlowClientGuard guard;

  private ExporterServer(HttpServer server, SlowClientGuard guard) {
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
   * @throws IOException if the host is unknown or the port is taken
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
   * @throws IOException if the host is unknown or the port is taken
   */
  public static ExporterServer start(
      String listen, Hosts hosts, ExporterOptions options, @Nullable SidecarSource sidecar)
      throws IOException {
    InetSocketAddress address = ListenAddress.parse(listen);
    HttpServer server;
    try {
      server = HttpServer.create(address, DEFAULT_BACKLOG);
    } catch (IOException e) {
      throw new IOException("listen: " + listen + " (" + e.getMessage() + ")", e);
    }
    SlowClientGuard guard = new SlowClientGuard();
    server.setExecutor(guard);
    server.createContext("/", router(hosts, options, sidecar, guard));
    startAsDaemon(server);
    return new ExporterServer(server, guard);
  }

  private static Router router(
      Hosts hosts,
      ExporterOptions options,
      @Nullable SidecarSource sidecar,
      SlowClientGuard guard) {
    CisternCollector collector =
        new CisternCollector(
            hosts, options, sidecar == null ? to -> {} : to -> sidecar.report().addTo(to));
    Map<String, Route> routes = new HashMap<>();
    PageAssets.pages().forEach((path, page) -> routes.put(path, Route.open(page)));
    routes.put("/state", Route.open(new StatePage(hosts)));
    routes.put("/metrics", Route.open(new MetricsPage(collector)));
    routes.put("/leaks", Route.trusted(new ReportPage(hosts, LeaksText::write, LeaksJson::write)));
    routes.put("/live", Route.trusted(new ReportPage(hosts, LiveText::write, LiveJson::write)));
    routes.put("/debug/pprof/heap", Route.trusted(new ProfilePage(hosts)));
    routes.put("/-/healthy", Route.health(request -> Answer.line(OK, "Cistern is healthy.")));
    routes.put("/-/ready", Route.health(new ReadyPage(hosts)));
    if (sidecar == null) {
      routes.put("/debug/dump", Route.action(new DumpPage(options.dump())));
    } else {
      PostMortemPage postMortems = new PostMortemPage(sidecar.postMortems());
      routes.put(PostMortemPage.PATH, Route.trusted(postMortems));
    }
    return new Router(routes, guard, Gate.LOCAL);
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
