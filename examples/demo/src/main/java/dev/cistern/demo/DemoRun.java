/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.demo;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;

/** The command {@code bin/cistern demo}. */
public final class DemoRun {
  private static final Duration START_LIMIT = Duration.ofSeconds(30);
  private static final Duration METRICS_LIMIT = Duration.ofSeconds(20);
  private static final Duration LEAK_LIMIT = Duration.ofSeconds(5);
  private static final Duration LONGEST_LOAD = Duration.ofHours(1);
  private static final int CONNECTIONS = 8;
  private static final double GENTLE_REQUESTS_PER_SECOND = 200;
  private static final int LEAKS = 32;
  private static final String LEAK = "/leak?count=512&size=16384";

  private final DemoOptions options;
  private final PrintStream out;

  private DemoRun(DemoOptions options, PrintStream out) {
    this.options = options;
    this.out = out;
  }

  /** Runs the demo. The exit status is 0, 1 for a failure, or 2 for invalid options. */
  public static void main(String[] args) throws InterruptedException {
    DemoOptions options;
    try {
      options = DemoOptions.parse(List.of(args));
    } catch (IllegalArgumentException e) {
      System.err.println("cistern demo: " + e.getMessage());
      System.err.println("bin/cistern demo --help lists the options");
      System.exit(2);
      return;
    }
    try {
      System.exit(new DemoRun(options, System.out).run());
    } catch (IOException | ExecutionException e) {
      System.err.println("cistern demo: FAILED: " + e.getMessage());
      System.exit(1);
    }
  }

  private int run() throws IOException, InterruptedException, ExecutionException {
    try (ServerProcess server = ServerProcess.start(command(), START_LIMIT, DemoRun::echo)) {
      // Ctrl-C and SIGTERM do not run the implicit close of this try block.
      Runtime.getRuntime().addShutdownHook(new Thread(server::close, "end-server"));
      Metrics metrics = metrics(server);
      return options.once() ? once(server, metrics) : untilInterrupted(server, metrics);
    }
  }

  private Metrics metrics(ServerProcess server) throws IOException {
    try {
      return server.awaitMetrics(METRICS_LIMIT);
    } catch (IOException e) {
      throw new IOException(e.getMessage() + "; --metrics-port chooses its port", e);
    }
  }

  private static void echo(String line) {
    System.err.println(line);
  }

  private ServerCommand command() throws IOException {
    Path agent = options.agent();
    Path application = options.jars().resolve("cistern-demo.jar");
    Path netty = options.jars().resolve("netty-" + options.netty());
    for (Path needed : List.of(application, netty, agent)) {
      if (!Files.exists(needed)) {
        throw new IOException("cannot find " + needed);
      }
    }
    String listen = "listen=127.0.0.1:" + options.metricsPort();
    String more = options.agentArguments().isEmpty() ? "" : "," + options.agentArguments();
    return ServerCommand.bare(application, netty)
        .withAgent(agent, "application=demo," + listen + more)
        .withArguments(
            List.of(
                "--port",
                "" + options.port(),
                "--tls-port",
                "" + options.tlsPort(),
                "--end-with-input"));
  }

  private int once(ServerProcess server, Metrics metrics) throws IOException, InterruptedException {
    Exposition before = metrics.scrapeUntilServing(server.port(), METRICS_LIMIT);
    out.printf("load for %d s ...%n", options.loadTime().toSeconds());
    LoadPlan plan = new LoadPlan(CONNECTIONS, options.loadTime(), Long.MAX_VALUE, 0);
    LoadReport report;
    Exposition loaded;
    try (LoadDriver load = LoadDriver.start(server.port(), server.tlsPort(), plan)) {
      loaded = metrics.scrapeUntil(scrape -> load.requests() > 1_000, options.loadTime());
      report = load.await();
    }
    Exposition after = leak(server, metrics);
    Summary summary = new Summary(server.nettyVersion(), report, before, loaded, after);
    out.print(summary.text());
    String failure = summary.failure();
    out.println(failure == null ? "ok" : "FAILED: " + failure);
    return failure == null ? 0 : 1;
  }

  /**
   * Leaks buffers on purpose. Returns the first scrape that shows them, or the last scrape before
   * the time limit.
   */
  private static Exposition leak(ServerProcess server, Metrics metrics) throws IOException {
    PacedLeak.run(server.port(), LEAKS);
    double enough = 0.5 * LEAKS * PacedLeak.BYTES_PER_REQUEST;
    return metrics.scrapeUntil(
        scrape -> scrape.sum("cistern_leaked_bytes_total") > enough, LEAK_LIMIT);
  }

  private int untilInterrupted(ServerProcess server, Metrics metrics)
      throws IOException, InterruptedException, ExecutionException {
    LoadPlan plan =
        new LoadPlan(CONNECTIONS, LONGEST_LOAD, Long.MAX_VALUE, GENTLE_REQUESTS_PER_SECOND);
    try (LoadDriver load = LoadDriver.start(server.port(), server.tlsPort(), plan)) {
      // One call prints all lines, because the server's own lines go to the same terminal at the
      // same time.
      out.print(welcome(server, metrics, plan));
      int status = server.ended().get();
      out.printf("the server ended with status %d after %,d requests%n", status, load.requests());
      return 1;
    }
  }

  private static String welcome(ServerProcess server, Metrics metrics, LoadPlan plan) {
    return String.format(
        """
        Netty %s with the Cistern agent
          application  http://127.0.0.1:%d/
                       https://127.0.0.1:%d/
          metrics      %s
          page         %s
          live         %s
          leaks        %s
          to leak      curl 'http://127.0.0.1:%d%s' && curl http://127.0.0.1:%d/gc
          load         %.0f requests/s on %d connections, for up to %d minutes
        Press Ctrl-C to end everything.
        """,
        server.nettyVersion(),
        server.port(),
        server.tlsPort(),
        metrics.address("/metrics"),
        metrics.address("/"),
        metrics.address("/live"),
        metrics.address("/leaks"),
        server.port(),
        LEAK,
        server.port(),
        plan.requestsPerSecond(),
        plan.connections(),
        plan.limit().toMinutes());
  }
}
