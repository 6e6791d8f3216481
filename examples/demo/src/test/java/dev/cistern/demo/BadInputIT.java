/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.testing.Tool;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Checks that the application starts and serves whatever settings the agent receives, and that one
 * line on standard error names the setting and the reason.
 */
class BadInputIT {
  private static final Demo.Host HOST = Demo.host("4.1");

  /** All modules that the application and the agent need, without {@code jdk.httpserver}. */
  private static final String MODULES =
      "java.base,java.instrument,java.logging,java.management,java.naming,jdk.crypto.ec,"
          + "jdk.unsupported";

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "nonsense=1, nonsense, unknown",
    "mode=sideways, mode, sideways",
    "mode, mode, key=value",
    "listen=here, listen, here",
    "listen=127.0.0.1:70000, listen, 70000",
    "chunkBytes=many, chunkBytes, many",
  })
  void anUnknownOrMalformedArgumentIsNamed(String arguments, String setting, String reason)
      throws Exception {
    assertHostKeepsItsAllocator(arguments, setting, reason);
  }

  @Test
  void aMissingFileIsNamed() throws Exception {
    Path file = directory.resolve("missing.yml");
    assertHostKeepsItsAllocator("config=" + file, "config", file.toString());
  }

  @Test
  void aFileThatIsNoYamlIsNamed() throws Exception {
    Path file = Files.writeString(directory.resolve("bad.yml"), "mode: [swap\n\t- : }");
    assertHostKeepsItsAllocator("config=" + file, "config", file.toString());
  }

  @Test
  void anUnknownKeyInTheFileIsNamed() throws Exception {
    Path file = Files.writeString(directory.resolve("unknown.yml"), "moode: swap\n");
    assertHostKeepsItsAllocator("config=" + file, "moode", file.toString());
  }

  @Test
  void withAPortThatIsTakenEverythingElseRuns() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        ServerProcess server = Demo.start(HOST.withAgent(taken.getLocalPort()))) {
      Demo.assertServes(server);
      assertOneLine(server, "listen", String.valueOf(taken.getLocalPort()));
      awaitLine(server, "cistern: serves io.netty");
    }
  }

  @Test
  void theEndpointRunsWithoutTheJdksHttpServer() throws Exception {
    ServerCommand command = HOST.withAgent().withJvmArguments(List.of("--limit-modules", MODULES));
    try (ServerProcess server = Demo.start(command)) {
      Demo.assertServes(server);
      assertThat(Demo.metrics(server).get("/metrics")).contains("cistern_up 1");
    }
  }

  @Test
  void aCopyThatOnlyHasTheNameIsNotServed() throws Exception {
    FakeNetty.compile(directory, "io.netty");
    ServerCommand command =
        new ServerCommand(
            HOST.javaHome(),
            List.of(directory),
            Demo.AGENT,
            "listen=none",
            List.of(),
            FakeNetty.MAIN,
            List.of("alone"));
    try (ServerProcess server = Demo.start(command)) {
      assertThat(server.nettyVersion()).isEqualTo("fake");
      assertOneLine(server, "io.netty", "own allocator");
    }
  }

  @Test
  void aCopyThatDoesNotMatchDoesNotKeepAnotherFromBeingServed() throws Exception {
    FakeNetty.compile(directory, "shaded.io.netty");
    ServerCommand command = HOST.withAgent().withFirst(directory, FakeNetty.MAIN);
    try (ServerProcess server = Demo.start(command)) {
      Metrics metrics = Demo.metrics(server);
      Exposition scrape = metrics.scrapeUntilServing(server.port(), Demo.LIMIT);
      assertThat(mode(scrape, "io.netty")).isEqualTo("swap");
      assertThat(mode(scrape, "shaded.io.netty")).isEqualTo("off");
      assertOneLine(server, "shaded.io.netty", "own allocator");
      Demo.assertServes(server);
    }
  }

  private static String mode(Exposition scrape, String pool) {
    return scrape
        .samples("cistern_netty_copy_info", "pool", pool)
        .map(copy -> copy.label("mode"))
        .findAny()
        .orElse("not listed");
  }

  private void assertHostKeepsItsAllocator(String arguments, String setting, String reason)
      throws IOException, InterruptedException {
    ServerCommand command = HOST.bare().withAgent(Demo.AGENT, arguments);
    try (ServerProcess server = Demo.start(command)) {
      Demo.assertServes(server);
      assertOneLine(server, setting, reason);
      assertThat(server.errors()).as("and no other line").hasSize(1);
      assertThat(threads(server)).noneMatch(thread -> thread.contains("\"cistern"));
    }
  }

  private static void assertOneLine(ServerProcess server, String setting, String reason) {
    awaitLine(server, setting);
    assertThat(server.errors())
        .filteredOn(line -> line.contains(setting) && !line.contains("serves io.netty"))
        .singleElement()
        .asString()
        .startsWith("cistern: ")
        .contains(reason);
    assertThat(server.errors()).allMatch(line -> line.startsWith("cistern: "));
  }

  private static void awaitLine(ServerProcess server, String part) {
    await()
        .atMost(Demo.LIMIT)
        .untilAsserted(() -> assertThat(server.errors()).anyMatch(line -> line.contains(part)));
  }

  private static Stream<String> threads(ServerProcess server)
      throws IOException, InterruptedException {
    String pid = String.valueOf(server.handle().pid());
    Tool.Outcome outcome =
        Tool.run(new ProcessBuilder(Tool.jdk("jcmd"), pid, "Thread.print"), Demo.LIMIT.toSeconds());
    assertThat(outcome.status()).as(outcome.printed()).isZero();
    return outcome.printed().lines();
  }
}
