/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.dashboards;

import dev.cistern.demo.HttpConnection;
import dev.cistern.demo.LoadDriver;
import dev.cistern.demo.LoadPlan;
import dev.cistern.demo.Metrics;
import dev.cistern.demo.ServerCommand;
import dev.cistern.demo.ServerProcess;
import dev.cistern.testing.Web;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The demo application with the agent in a small JVM of its own, and what is asked of it. */
final class LiveHost implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofSeconds(60);
  private static final Duration LONGEST_LOAD = Duration.ofMinutes(5);
  private static final int CONNECTIONS = 3;
  private static final List<String> SMALL_JVM =
      List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-Xmx96m");

  private final String application;
  private final ServerProcess server;
  private final Metrics metrics;
  private final List<AutoCloseable> loads = new ArrayList<>();
  private boolean frozen;

  private LiveHost(String application, ServerProcess server, Metrics metrics) {
    this.application = application;
    this.server = server;
    this.metrics = metrics;
  }

  /** How one is started. */
  record Plan(String application, String netty, String agentArguments, int directMebibytes) {
    /**
     * Starts it and returns when Cistern serves or observes its buffers.
     *
     * @param statsFiles where its stats file is to be
     */
    LiveHost start(Path statsFiles) throws IOException, InterruptedException {
      ServerProcess server = ServerProcess.start(command(statsFiles), START_LIMIT, line -> {});
      Metrics metrics = server.awaitMetrics(START_LIMIT);
      LiveHost host = new LiveHost(application, server, metrics);
      metrics.scrapeUntil(
          scrape -> scrape.samples("cistern_netty_copy_info").findAny().isPresent(), START_LIMIT);
      return host;
    }

    private ServerCommand command(Path statsFiles) {
      Path target = Path.of(Objects.requireNonNull(System.getProperty("cistern.demo.target")));
      Path agent = Path.of(Objects.requireNonNull(System.getProperty("cistern.agent")));
      List<String> jvm = new ArrayList<>(SMALL_JVM);
      jvm.add("-XX:MaxDirectMemorySize=" + directMebibytes + "m");
      return ServerCommand.bare(
              target.resolve("cistern-demo.jar"), target.resolve("netty-" + netty))
          .withJvmArguments(jvm)
          .withArguments(
              List.of("--port", "0", "--tls-port", "none", "--threads", "2", "--end-with-input"))
          .withAgent(
              agent,
              "application=%s,listen=127.0.0.1:0,statsDirectory=%s%s"
                  .formatted(application, statsFiles, agentArguments));
    }
  }

  /** Drives the demo's mix of requests at it from now on. */
  void mixedLoad(double requestsPerSecond) throws IOException {
    loads.add(
        LoadDriver.start(
            server.port(),
            server.tlsPort(),
            new LoadPlan(CONNECTIONS, LONGEST_LOAD, Long.MAX_VALUE, requestsPerSecond)));
  }

  /** Sends it a request again and again from now on. */
  SteadyRequests load(SteadyRequests.Request request, double requestsPerSecond) {
    SteadyRequests load = new SteadyRequests(server.port(), request, requestsPerSecond);
    loads.add(load);
    return load;
  }

  /** A connection of the caller's own. */
  HttpConnection connect() throws IOException {
    return HttpConnection.open("127.0.0.1", server.port());
  }

  /** Asks it for one page. */
  void get(String target) {
    Web.body(server.port(), target);
  }

  String application() {
    return application;
  }

  int metricsPort() {
    return metrics.port();
  }

  Metrics metrics() {
    return metrics;
  }

  /** Its standard error. */
  List<String> said() {
    return server.errors();
  }

  boolean isAlive() {
    return server.handle().isAlive();
  }

  /** Ends it as the kernel does where memory is short. */
  void kill() {
    if (!server.handle().destroyForcibly()) {
      throw new AssertionError(application + " cannot be killed");
    }
  }

  /** Has it stand still. */
  void freeze() throws IOException, InterruptedException {
    frozen = true;
    signal("STOP");
  }

  private void thaw() {
    if (frozen) {
      frozen = false;
      try {
        signal("CONT");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void signal(String name) throws IOException, InterruptedException {
    String pid = String.valueOf(server.handle().pid());
    int status = new ProcessBuilder("kill", "-" + name, pid).inheritIO().start().waitFor();
    if (status != 0) {
      throw new AssertionError("kill -" + name + " " + pid + ": " + status);
    }
  }

  /** One that stands still goes on, or its load would not end. */
  void endLoad() {
    thaw();
    for (AutoCloseable load : loads) {
      try {
        load.close();
      } catch (Exception e) {
        throw new AssertionError(application, e);
      }
    }
    loads.clear();
  }

  @Override
  public void close() {
    try {
      endLoad();
    } finally {
      server.close();
    }
  }
}
