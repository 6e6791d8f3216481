/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import dev.cistern.exporter.ExporterOptions.WebConfigFrom;
import dev.cistern.exporter.http.AccessControl;
import dev.cistern.exporter.http.ClientIdentity;
import dev.cistern.exporter.http.EndpointFigures;
import dev.cistern.exporter.http.HttpConnection;
import dev.cistern.exporter.http.HttpListener;
import dev.cistern.exporter.http.ListenAddress;
import dev.cistern.exporter.http.PageSlots;
import dev.cistern.exporter.http.Response;
import dev.cistern.exporter.http.Router;
import dev.cistern.exporter.http.Router.Route;
import dev.cistern.exporter.http.WebAccessControl;
import dev.cistern.exporter.metrics.CisternCollector;
import dev.cistern.exporter.page.ActionPage;
import dev.cistern.exporter.page.CachedHosts;
import dev.cistern.exporter.page.ControlPage;
import dev.cistern.exporter.page.DumpPage;
import dev.cistern.exporter.page.HistoryPage;
import dev.cistern.exporter.page.MetricsPage;
import dev.cistern.exporter.page.PageAssets;
import dev.cistern.exporter.page.PostMortemPage;
import dev.cistern.exporter.page.ProfilePage;
import dev.cistern.exporter.page.ReadyPage;
import dev.cistern.exporter.page.ReportPage;
import dev.cistern.exporter.page.StatePage;
import dev.cistern.exporter.process.ProcessActions;
import dev.cistern.exporter.report.ExporterState;
import dev.cistern.exporter.report.Hosts;
import dev.cistern.exporter.report.SidecarSource;
import dev.cistern.exporter.report.StatsSource;
import dev.cistern.exporter.statsfile.HistoryRecorder;
import dev.cistern.exporter.view.LeaksJson;
import dev.cistern.exporter.view.LeaksText;
import dev.cistern.exporter.view.LiveJson;
import dev.cistern.exporter.view.LiveText;
import dev.cistern.exporter.view.MemoryJson;
import dev.cistern.exporter.view.MemoryText;
import dev.cistern.exporter.view.VerdictJson;
import dev.cistern.exporter.view.VerdictText;
import dev.cistern.exporter.web.WebSecurity;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * HTTP/1.1 server for a host's metrics, leaks, live profile and browser page.
 *
 * <p>The server does not keep the process alive, change system properties, or keep the context
 * class loader of the starting thread. It holds up to {@value HttpListener#MAX_CONNECTIONS}
 * connections.
 */
public final class ExporterServer implements AutoCloseable {

  /** Maximum age of a cached state. It is shorter than the refresh interval of the browser page. */
  private static final long STATE_AGE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** Maximum number of concurrent requests for the browser page or for pages with stacks. */
  private static final int MAX_PAGES = 4;

  /** Maximum number of concurrent scrapes. */
  private static final int MAX_SCRAPES = 2;

  private final HttpListener listener;
  private final String scheme;

  /**
   * Recorder of the history; null in a sidecar. Set once, before this object is published to
   * another thread.
   */
  private @Nullable HistoryRecorder recorder;

  private ExporterServer(HttpListener listener, String scheme) {
    this.scheme = scheme;
    this.listener = listener;
  }

  /**
   * Binds and starts a server with {@link ExporterOptions#DEFAULT}.
   *
   * @param listen {@code host:port}; port 0 for any free port
   * @param source source of the reports
   * @throws IllegalArgumentException if {@code listen} is malformed
   * @throws IOException if the host is unknown or the port is taken
   */
  public static ExporterServer start(String listen, StatsSource source) throws IOException {
    return start(listen, source, ExporterOptions.DEFAULT);
  }

  /**
   * Binds and starts a server.
   *
   * @param listen {@code host:port}; port 0 for any free port
   * @param source source of the reports
   * @throws IllegalArgumentException if {@code listen} is malformed
   * @throws IOException if the host is unknown, the port is taken, or the web configuration cannot
   *     be used
   */
  public static ExporterServer start(String listen, StatsSource source, ExporterOptions options)
      throws IOException {
    HistoryRecorder recorder = HistoryRecorder.start(source);
    try {
      ExporterServer server = start(listen, Hosts.of(source, recorder::history), options, null);
      server.recorder = recorder;
      return server;
    } catch (Throwable e) {
      recorder.close();
      throw e;
    }
  }

  /**
   * Binds and starts a sidecar's server.
   *
   * @param listen {@code host:port}; port 0 for any free port
   * @param hosts the hosts that it watches
   * @param sidecar the sidecar's own data; null outside a sidecar
   * @throws IllegalArgumentException if {@code listen} is malformed
   * @throws IOException if the host is unknown, the port is taken, or the web configuration cannot
   *     be used
   */
  public static ExporterServer start(
      String listen, Hosts hosts, ExporterOptions options, @Nullable SidecarSource sidecar)
      throws IOException {
    InetSocketAddress address = ListenAddress.parse(listen);
    EndpointFigures figures = new EndpointFigures();
    ConnectionSecurity security = connectionSecurity(options.webConfig(), figures);
    ControlPage control =
        sidecar == null
            ? null
            : new ControlPage(hosts, sidecar.control(), options.webConfig() != null);
    ExporterState.Source own =
        to -> {
          figures.addTo(to);
          security.figures().addTo(to);
          options.figures().addTo(to);
          if (options.dump() != null) {
            options.dump().addTo(to);
          }
          if (control != null) {
            control.addTo(to);
          }
        };
    Map<String, Route> routes =
        routes(
            hosts, options, sidecar, control, new CisternCollector(hosts, options.series(), own));
    Router router = new Router(routes, security.accessControl(), figures);
    try {
      HttpListener listener =
          HttpListener.start(
              address,
              figures,
              (socket, owner) ->
                  new HttpConnection(socket, owner, security.encryption(), router, figures));
      return new ExporterServer(listener, security.scheme());
    } catch (IOException e) {
      throw new IOException("listen: " + listen + " (" + e.getMessage() + ")", e);
    }
  }

  /** Encryption and access control of the connections. */
  private record ConnectionSecurity(
      HttpConnection.Encryption encryption,
      AccessControl accessControl,
      ExporterState.Source figures,
      String scheme) {}

  /**
   * Returns the encryption and access control. Without a web configuration, no class for TLS, YAML
   * or bcrypt is loaded.
   */
  private static ConnectionSecurity connectionSecurity(
      @Nullable WebConfigFrom webConfig, EndpointFigures figures) throws IOException {
    if (webConfig == null) {
      return new ConnectionSecurity(
          HttpConnection.Encryption.NONE, AccessControl.LOCAL, to -> {}, "http");
    }
    WebSecurity security = WebSecurity.read(webConfig.file(), webConfig.log());
    WebAccessControl accessControl = new WebAccessControl(security, figures);
    return security.hasTls()
        ? new ConnectionSecurity(accessControl, accessControl, accessControl, "https")
        : new ConnectionSecurity(
            HttpConnection.Encryption.NONE, accessControl, accessControl, "http");
  }

  private static Map<String, Route> routes(
      Hosts hosts,
      ExporterOptions options,
      @Nullable SidecarSource sidecar,
      @Nullable ControlPage control,
      CisternCollector collector) {
    Map<String, Route> routes = new HashMap<>();
    PageSlots pages = new PageSlots(MAX_PAGES);
    Hosts recent = new CachedHosts(hosts, STATE_AGE_NANOS, System::nanoTime);
    PageAssets.pages().forEach((path, page) -> routes.put(path, Route.open(page, pages)));
    routes.put(
        "/state",
        Route.open(new StatePage(recent, client -> actions(client, options, sidecar)), pages));
    routes.put("/history", Route.open(new HistoryPage(recent), pages));
    routes.put("/metrics", Route.open(new MetricsPage(collector), new PageSlots(MAX_SCRAPES)));
    routes.put(
        "/leaks", Route.trusted(new ReportPage(hosts, LeaksText::write, LeaksJson::write), pages));
    routes.put(
        "/live", Route.trusted(new ReportPage(hosts, LiveText::write, LiveJson::write), pages));
    routes.put(
        "/verdict",
        Route.trusted(new ReportPage(hosts, VerdictText::write, VerdictJson::write), pages));
    routes.put(
        "/memory",
        Route.trusted(new ReportPage(hosts, MemoryText::write, MemoryJson::write, true), pages));
    routes.put("/debug/pprof/heap", Route.trusted(new ProfilePage(hosts), pages));
    routes.put(
        "/-/healthy", Route.health(request -> Response.line(Response.OK, "Cistern is healthy.")));
    routes.put("/-/ready", Route.health(new ReadyPage(hosts, System::nanoTime)));
    if (sidecar == null) {
      routes.put("/debug/dump", Route.action(new DumpPage(options.dump())));
      routes.put(
          "/debug/gc", Route.action(new ActionPage(ProcessActions::collect, System::nanoTime)));
      routes.put(
          "/debug/trim", Route.action(new ActionPage(ProcessActions::trim, System::nanoTime)));
    } else {
      PostMortemPage postMortems = new PostMortemPage(sidecar.postMortems());
      routes.put(PostMortemPage.PATH, Route.trusted(postMortems, pages));
    }
    if (control != null) {
      routes.put(ControlPage.PATH, Route.control(control, pages));
    }
    return routes;
  }

  /** Returns the actions that the page offers to a client. */
  private static List<String> actions(
      ClientIdentity client, ExporterOptions options, @Nullable SidecarSource sidecar) {
    List<String> actions = new ArrayList<>();
    if (client.isTrusted()) {
      actions.add("profile");
      actions.addAll(sidecar == null ? List.of("gc", "trim") : List.of("postmortem"));
      if (options.dump() != null) {
        actions.add("dump");
      }
    }
    if (client == ClientIdentity.AUTHENTICATED && sidecar != null && sidecar.control() != null) {
      actions.add("control");
    }
    return actions;
  }

  /** Returns {@code https} if the server has TLS, otherwise {@code http}. */
  public String scheme() {
    return scheme;
  }

  /** Returns the port that the server listens on. */
  public int port() {
    return listener.port();
  }

  /** Stops listening and closes the connections. */
  @Override
  public void close() {
    listener.close();
    if (recorder != null) {
      recorder.close();
    }
  }
}
