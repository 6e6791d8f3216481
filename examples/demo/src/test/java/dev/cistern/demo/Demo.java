/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** The artifacts of the build, and the application that runs from them. */
final class Demo {
  static final String HOST = "127.0.0.1";
  static final Duration LIMIT = Duration.ofSeconds(30);

  private static final Path HOME = property("cistern.home");
  private static final Path TARGET = property("cistern.demo.target");

  /** The agent's jar. */
  static final Path AGENT = property("cistern.agent");

  private Demo() {}

  /** A Netty version with a JDK to run on. */
  record Host(String netty, Path javaHome) {
    ServerCommand bare() {
      return ServerCommand.bare(
              TARGET.resolve("cistern-demo.jar"), TARGET.resolve("netty-" + netty))
          .withJavaHome(javaHome);
    }

    /** Returns the command with the agent, whose endpoint uses a free port. */
    ServerCommand withAgent() {
      return withAgent(0);
    }

    ServerCommand withAgent(int metricsPort) {
      return bare().withAgent(AGENT, "listen=" + HOST + ":" + metricsPort);
    }

    @Override
    public String toString() {
      return "Netty " + netty + " on " + javaHome.getFileName();
    }
  }

  /**
   * Returns both Netty versions on the JDK of the build, and on the one of {@code -Djdk25.home}.
   */
  static Stream<Arguments> hosts() {
    return Stream.of("java.home", "jdk25.home")
        .map(property -> System.getProperty(property, ""))
        .filter(home -> !home.isEmpty())
        .distinct()
        .map(Path::of)
        .flatMap(home -> Stream.of("4.1", "4.2").map(netty -> Arguments.of(new Host(netty, home))));
  }

  static Host host(String netty) {
    return new Host(netty, Path.of(System.getProperty("java.home")));
  }

  static Path script() {
    return HOME.resolve("bin/cistern");
  }

  static ServerProcess start(ServerCommand command) throws IOException, InterruptedException {
    return ServerProcess.start(command, LIMIT, line -> {});
  }

  /** Starts the application with the agent and waits until the pool serves it. */
  static ServerProcess startServed(Host host) throws IOException, InterruptedException {
    ServerProcess server = start(host.withAgent());
    try {
      Exposition scrape = metrics(server).scrapeUntilServing(server.port(), LIMIT);
      assertThat(scrape.sum("cistern_served_allocations_total"))
          .as("allocations served by Cistern; stderr: %s", server.errors())
          .isPositive();
      return server;
    } catch (IOException | AssertionError e) {
      server.close();
      throw e;
    }
  }

  /** Returns a client of the endpoint of the server's agent. */
  static Metrics metrics(ServerProcess server) throws IOException {
    return server.awaitMetrics(LIMIT);
  }

  /** Asserts that the server responds on both ports. */
  static void assertServes(ServerProcess server) throws IOException {
    assertThat(HttpConnection.get(HOST, server.port(), "/plaintext").text())
        .isEqualTo("Hello, World!");
    LoadReport load;
    try {
      load = LoadDriver.run(server.port(), server.tlsPort(), plan(4, 64));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    assertThat(load.firstFailure()).isNull();
    assertThat(load.requests()).isGreaterThanOrEqualTo(64);
  }

  static LoadPlan plan(int connections, long requests) {
    return new LoadPlan(connections, LIMIT, requests, 0);
  }

  private static Path property(String name) {
    return Path.of(Objects.requireNonNull(System.getProperty(name), name));
  }
}
