/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class CommandLineIT {
  private static final int SIGTERM_STATUS = 143;

  /** The result of a run: the output of both streams, and the exit status. */
  private record Ended(int status, String text) {}

  private static Ended run(String... arguments) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                ServerRun.command(
                    ServerRun.exampleClassPath(), "example.server.Server", List.of(arguments)))
            .redirectErrorStream(true)
            .start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(15, TimeUnit.SECONDS)).isTrue();
    return new Ended(process.exitValue(), text);
  }

  @Test
  void needsTheLibraryAndNothingElse() throws IOException {
    try (Stream<Path> libraries =
        Files.list(ServerRun.target("cistern.server.target").resolve("lib"))) {
      assertThat(libraries.map(path -> path.getFileName().toString()))
          .singleElement()
          .asString()
          .startsWith("cistern-buffer-core-");
    }
  }

  @Test
  void wrongArgumentsAreNamedWithTheirLimit() throws Exception {
    Ended ended = run("--threads", "0");
    assertThat(ended.status()).isEqualTo(2);
    assertThat(ended.text())
        .startsWith("--threads must be a number from 1 to 1024, not 0\nusage: ")
        .contains("--echo-port");
  }

  @Test
  void helpIsNoFailure() throws Exception {
    Ended ended = run("--help");
    assertThat(ended.status()).isZero();
    assertThat(ended.text()).startsWith("usage: ");
  }

  @Test
  void aPortThatIsTakenIsNamed() throws Exception {
    try (ServerRun server = ServerRun.example()) {
      Ended ended = run("--http-port", String.valueOf(server.httpPort()));
      assertThat(ended.status()).isEqualTo(1);
      assertThat(ended.text()).contains("cannot listen on ", ":" + server.httpPort());
    }
  }

  @Test
  void aHostThatIsUnknownIsNamed() throws Exception {
    Ended ended = run("--host", "not a host", "--http-port", "0");
    assertThat(ended.status()).isEqualTo(1);
    assertThat(ended.text()).contains("cannot listen on not a host").contains("unknown host");
  }

  @Test
  void sigtermEndsItWithItsConnections() throws Exception {
    try (ServerRun server = ServerRun.example();
        SocketChannel client = server.connectHttp()) {
      Peer.send(client, Peer.bytes("GET /plain"));
      Awaitility.await("part of a request")
          .atMost(ServerRun.LIMIT)
          .until(() -> server.memory().pinned() > 0);
      server.handle().destroy();
      assertThat(server.handle().onExit().get(15, TimeUnit.SECONDS).isAlive()).isFalse();
      assertThat(Peer.receiveAll(client)).isEmpty();
      assertThat(server.status()).isEqualTo(SIGTERM_STATUS);
    }
  }
}
