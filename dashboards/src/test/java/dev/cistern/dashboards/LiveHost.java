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

/** The demo application with the agent in a small separate JVM, and requests to it. */
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

  /** The configuration of a process. */
  record Plan(String application, String netty, String agentArguments, int directMebibytes) {
    /**
     * Starts the process and returns when Cistern serves or observes its buffers.
     *
     * @param statsFiles directory of its stats file
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

  /** Starts the demo's mix of requests to this process. */
  void mixedLoad(double requestsPerSecond) throws IOException {
    loads.add(
        LoadDriver.start(
            server.port(),
            server.tlsPort(),
            new LoadPlan(CONNECTIONS, LONGEST_LOAD, Long.MAX_VALUE, requestsPerSecond)));
  }

  /** Starts to send a request to this process again and again. */
  SteadyRequests load(SteadyRequests.Request request, double requestsPerSecond) {
    SteadyRequests load = new SteadyRequests(server.port(), request, requestsPerSecond);
    loads.add(load);
    return load;
  }

  /** Opens a connection that the caller must close. */
  HttpConnection connect() throws IOException {
    return HttpConnection.open("127.0.0.1", server.port());
  }

  /** Requests one page from this process. */
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

  /** Returns the lines of its standard error. */
  List<String> errors() {
    return server.errors();
  }

  boolean isAlive() {
    return server.handle().isAlive();
  }

  /** Kills the process, as the kernel does when memory is short. */
  void kill() {
    if (!server.handle().destroyForcibly()) {
      throw new AssertionError(application + " cannot be killed");
    }
  }

  /** Suspends the process. */
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

  /** Ends the load. Resumes a suspended process first, because otherwise its load would not end. */
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
