/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.testing.TestLength;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Checks that no memory remains, however a connection or the server ends. */
@Tag("H1")
class EndingsIT {
  @Test
  void resetsAtAnyTimeLeaveNothing() throws Exception {
    long seed = Long.getLong("cistern.seed", System.nanoTime());
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    byte[] requests = Peer.bytes(Peer.GET.repeat(2_000));
    int clients = TestLength.choose(300, 300, 5_000);
    try (ServerRun server = ServerRun.example()) {
      for (int i = 0; i < clients; i++) {
        boolean isEcho = random.nextBoolean();
        SocketChannel client = isEcho ? server.connectEcho() : server.connectHttp();
        Peer.send(client, Arrays.copyOf(requests, random.nextInt(requests.length)));
        if (random.nextInt(4) == 0) {
          client.close();
        } else {
          Peer.reset(client);
        }
      }
      server.awaitIdle();
      assertThat(Peer.exchange(server.connectHttp(), Peer.LAST_GET)).endsWith("Hello, World!");
      server.awaitIdle();
      server.endClean();
    }
  }

  @Test
  void theServerEndsInTheMiddleOfAnswers() throws Exception {
    List<SocketChannel> clients = new ArrayList<>();
    try (ServerRun server = ServerRun.example()) {
      for (int i = 0; i < 20; i++) {
        clients.add(stuck(i % 2 == 0 ? server.connectEcho() : server.connectHttp()));
      }
      Awaitility.await().atMost(ServerRun.LIMIT).until(() -> server.memory().pinned() > 0);
      server.endClean();
    } finally {
      for (SocketChannel client : clients) {
        client.close();
      }
    }
  }

  /** Makes a client that sends as much as the system accepts, and reads nothing. */
  private static SocketChannel stuck(SocketChannel client) throws IOException {
    client.configureBlocking(false);
    ByteBuffer rest = ByteBuffer.wrap(Peer.bytes(Peer.GET.repeat(500_000)));
    Awaitility.await()
        .atMost(ServerRun.LIMIT)
        .pollInterval(Duration.ofMillis(1))
        .until(() -> client.write(rest) == 0);
    return client;
  }
}
