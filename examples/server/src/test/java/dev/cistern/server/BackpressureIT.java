/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.server;

import static org.assertj.core.api.Assertions.assertThat;

import example.server.HttpAnswers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Checks that a client that does not read cannot make the server hold more than its water marks
 * allow.
 */
@Tag("H1")
@Tag("H2")
class BackpressureIT extends SharedServer {
  /**
   * The limit of pinned bytes: the high water mark of 64 KiB, plus one read of up to 64 KiB, as
   * input or as waiting responses and requests.
   */
  private static final long MAX_PINNED_BYTES = 192 << 10;

  /** The number of consecutive writes that the system must not accept any bytes of. */
  private static final int STANDSTILLS = 20;

  private static final Duration BETWEEN_WRITES = Duration.ofMillis(10);

  @Test
  void anEchoWaitsForItsReader() throws IOException {
    byte[] sent = new byte[48 << 20];
    new Random(1).nextBytes(sent);
    try (SocketChannel client = server.connectEcho()) {
      client.configureBlocking(false);
      ByteBuffer rest = ByteBuffer.wrap(sent);
      sendUntilItStalls(client, rest);
      assertThat(rest.remaining()).as("bytes that the system did not take").isPositive();
      assertThat(server.memory().pinned()).isBetween(1L, MAX_PINNED_BYTES);
      assertThat(readWhileSending(client, rest, sent.length)).isEqualTo(sent);
    }
  }

  @Test
  void requestsWaitForTheReaderOfTheirAnswers() throws IOException {
    int requests = 400_000;
    byte[] sent = Peer.bytes(Peer.GET.repeat(requests - 1) + Peer.LAST_GET);
    try (SocketChannel client = server.connectHttp()) {
      client.configureBlocking(false);
      ByteBuffer rest = ByteBuffer.wrap(sent);
      sendUntilItStalls(client, rest);
      assertThat(rest.remaining()).as("bytes that the system did not take").isPositive();
      assertThat(server.memory().pinned()).isBetween(1L, MAX_PINNED_BYTES);
      byte[] answers = readWhileSending(client, rest, Integer.MAX_VALUE);
      String statuses = HttpAnswers.statuses(new String(answers, StandardCharsets.US_ASCII));
      assertThat(statuses).isEqualTo("200 ".repeat(requests));
    }
  }

  @Test
  void incompleteRequestsHoldOnlyTheirSize() throws IOException {
    List<SocketChannel> clients = new ArrayList<>();
    try {
      for (int i = 0; i < 100; i++) {
        SocketChannel client = server.connectHttp();
        clients.add(client);
        Peer.send(client, Peer.bytes(Peer.GET.repeat(50) + "GET /plain"));
      }
      Awaitility.await()
          .atMost(ServerRun.LIMIT)
          .untilAsserted(
              () -> assertThat(server.memory().pinned()).isBetween(100L * 10, 100L * 64));
    } finally {
      for (SocketChannel client : clients) {
        client.close();
      }
    }
  }

  private static void sendUntilItStalls(SocketChannel client, ByteBuffer rest) {
    int[] standstills = new int[1];
    Awaitility.await()
        .atMost(ServerRun.LIMIT)
        .pollInterval(BETWEEN_WRITES)
        .until(
            () -> {
              standstills[0] = client.write(rest) == 0 ? standstills[0] + 1 : 0;
              return standstills[0] == STANDSTILLS;
            });
  }

  private static byte[] readWhileSending(SocketChannel client, ByteBuffer rest, int mostBytes)
      throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    ByteBuffer part = ByteBuffer.allocate(256 << 10);
    while (all.size() < mostBytes) {
      if (rest.hasRemaining()) {
        client.write(rest);
      }
      int read = client.read(part.clear());
      if (read < 0) {
        break;
      }
      all.write(part.array(), 0, read);
      if (read == 0) {
        Thread.onSpinWait();
      }
    }
    return all.toByteArray();
  }
}
