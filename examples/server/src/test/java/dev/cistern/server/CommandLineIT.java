/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.testing.Tool;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class CommandLineIT {
  private static final int SIGTERM_STATUS = 143;

  private static Tool.Outcome run(String... arguments) throws IOException, InterruptedException {
    List<String> command =
        ServerRun.command(
            ServerRun.exampleClassPath(), "example.server.Server", List.of(arguments));
    return Tool.run(new ProcessBuilder(command), 15);
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
    Tool.Outcome ended = run("--threads", "0");
    assertThat(ended.status()).isEqualTo(2);
    assertThat(ended.printed())
        .startsWith("--threads must be a number from 1 to 1024, not 0\nusage: ")
        .contains("--echo-port");
  }

  @Test
  void helpIsNoFailure() throws Exception {
    Tool.Outcome ended = run("--help");
    assertThat(ended.status()).isZero();
    assertThat(ended.printed()).startsWith("usage: ");
  }

  @Test
  void aPortThatIsTakenIsNamed() throws Exception {
    try (ServerRun server = ServerRun.example()) {
      Tool.Outcome ended = run("--http-port", String.valueOf(server.httpPort()));
      assertThat(ended.status()).isEqualTo(1);
      assertThat(ended.printed()).contains("cannot listen on ", ":" + server.httpPort());
    }
  }

  @Test
  void aHostThatIsUnknownIsNamed() throws Exception {
    Tool.Outcome ended = run("--host", "not a host", "--http-port", "0");
    assertThat(ended.status()).isEqualTo(1);
    assertThat(ended.printed()).contains("cannot listen on not a host").contains("unknown host");
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
