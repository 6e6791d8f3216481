/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.testing.TestLength;
import dev.cistern.testing.Tool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Opens many connections at once, 10,000 in the long form. All receive responses, and idle
 * connections hold no buffers.
 */
@Tag("H1")
@Tag("H2")
@Tag("I8")
class ManyConnectionsIT {
  private static final int CONNECTIONS = TestLength.choose(500, 500, 10_000);
  private static final int SECONDS = TestLength.choose(2, 5, 20);
  private static final Pattern REQUESTS = Pattern.compile("(\\d+) requests in ");

  /** The heap limit of a connection. Its objects, including the JDK's, use about half of this. */
  private static final long MAX_HEAP_BYTES_PER_CONNECTION = 2_048;

  @Test
  void allAreAnsweredUnderLoad() throws Exception {
    String wrk = Tool.path("wrk", "wrk");
    try (ServerRun server = ServerRun.example()) {
      Path output = Files.createTempFile("wrk", ".txt");
      List<String> command = new ArrayList<>(ServerRun.withFiles());
      command.addAll(
          List.of(wrk, "-t2", "-c" + CONNECTIONS, "-d" + SECONDS + "s", "--timeout", "20s"));
      command.add("http://127.0.0.1:" + server.httpPort() + "/plaintext");
      Process load =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      try {
        Awaitility.await()
            .atMost(ServerRun.LIMIT)
            .until(() -> server.memory().connections() == CONNECTIONS);
        assertThat(load.waitFor()).isZero();
      } finally {
        load.destroy();
      }
      String text = Files.readString(output);
      Files.delete(output);
      System.out.println(text);
      assertThat(text).doesNotContain("Socket errors", "Non-2xx");
      Matcher requests = REQUESTS.matcher(text);
      assertThat(requests.find()).isTrue();
      assertThat(Long.parseLong(requests.group(1))).isGreaterThan(CONNECTIONS);
      server.awaitIdle();
      server.endClean();
    }
  }

  @Test
  void idleConnectionsHoldNoBuffer() throws Exception {
    List<SocketChannel> clients = new ArrayList<>();
    try (ServerRun server = ServerRun.example()) {
      exchangeOnce(server.connectHttp()).close();
      server.awaitIdle();
      long heapBefore = heapAfterCollection(server);
      long residentBefore = server.residentBytes();
      for (int i = 0; i < CONNECTIONS; i++) {
        clients.add(exchangeOnce(server.connectHttp()));
      }
      // The server releases the last buffer after the client has received its response.
      Awaitility.await("release of the last buffer")
          .atMost(ServerRun.LIMIT)
          .until(() -> server.memory().pinned() == 0);
      Memory idle = server.memory();
      assertThat(idle.connections()).isEqualTo(CONNECTIONS);
      assertThat(idle.pinned()).as("pinned by %d idle connections", CONNECTIONS).isZero();
      long heapOfOne = (heapAfterCollection(server) - heapBefore) / CONNECTIONS;
      long residentOfOne = (server.residentBytes() - residentBefore) / CONNECTIONS;
      System.out.printf(
          "%d idle connections: %d bytes of heap each, %d bytes resident each, pool reserved %d%n",
          CONNECTIONS, heapOfOne, residentOfOne, idle.reserved());
      assertThat(heapOfOne).isLessThan(MAX_HEAP_BYTES_PER_CONNECTION);
      for (SocketChannel client : clients) {
        client.close();
      }
      server.awaitIdle();
      server.endClean();
    } finally {
      for (SocketChannel client : clients) {
        client.close();
      }
    }
  }

  private static SocketChannel exchangeOnce(SocketChannel client) throws IOException {
    Peer.send(client, Peer.bytes(Peer.GET));
    StringBuilder answer = new StringBuilder();
    ByteBuffer part = ByteBuffer.allocate(512);
    while (!answer.toString().endsWith("Hello, World!")) {
      int read = client.read(part.clear());
      assertThat(read).as("after %s", answer).isPositive();
      answer.append(new String(part.array(), 0, read, StandardCharsets.US_ASCII));
    }
    return client;
  }

  private static long heapAfterCollection(ServerRun server) throws Exception {
    String pid = String.valueOf(server.handle().pid());
    Tool.Outcome collection =
        Tool.run(new ProcessBuilder(Tool.jdk("jcmd"), pid, "GC.run"), ServerRun.LIMIT.toSeconds());
    assertThat(collection.status()).as(collection.printed()).isZero();
    return server.memory().heap();
  }
}
