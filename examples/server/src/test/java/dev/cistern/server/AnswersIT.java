/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.server;

import static org.assertj.core.api.Assertions.assertThat;

import example.server.HttpAnswers;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks the server's responses over a real connection, and that its Netty twin sends the same. */
@Tag("I8")
class AnswersIT extends SharedServer {
  @Test
  void manyRequestsAtOnceAreAnsweredInOrder() throws IOException {
    String notFound = "GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n";
    String answers =
        Peer.exchange(
            server.connectHttp(), (Peer.GET + notFound + Peer.GET).repeat(300) + Peer.LAST_GET);
    assertThat(HttpAnswers.statuses(answers)).isEqualTo("200 404 200 ".repeat(300) + "200 ");
    assertThat(answers).endsWith("Connection: close\r\n\r\nHello, World!");
  }

  @ParameterizedTest
  @CsvSource({
    "'GET /x HTTP/1.1|Host: x||', 404",
    "'rubbish||', 400",
    "'GET /plaintext HTTP/1.1||', 400",
    "'POST / HTTP/1.1|Host: x|Transfer-Encoding: chunked||0||', 501",
    "'GET /plaintext HTTP/1.0||', 200",
  })
  void answersByTheStandard(String request, String status) throws IOException {
    String answer = Peer.exchange(server.connectHttp(), request.replace("|", "\r\n"));
    assertThat(HttpAnswers.statuses(answer)).isEqualTo(status + " ");
  }

  @Test
  void aClientGetsItsLastAnswerAlthoughItSendsOn() throws IOException {
    String tooLarge = "GET / HTTP/1.1\r\nX: " + "x".repeat(200_000);
    String answer = Peer.exchange(server.connectHttp(), tooLarge);
    assertThat(HttpAnswers.statuses(answer)).isEqualTo("431 ");
  }

  @Test
  void theServerEndsItsSideAfterTheLastAnswer() throws IOException {
    try (SocketChannel client = server.connectHttp()) {
      Peer.send(client, Peer.bytes(Peer.LAST_GET));
      assertThat(HttpAnswers.statuses(Peer.receiveAll(client))).isEqualTo("200 ");
    }
  }

  @Test
  void anIncompleteRequestIsDiscardedWithItsConnection() throws IOException {
    assertThat(Peer.exchange(server.connectHttp(), Peer.GET + "GET /plain")).endsWith("World!");
    assertThat(Peer.exchange(server.connectHttp(), "")).isEmpty();
  }

  @Test
  void theTwinAnswersTheSameBytes() throws Exception {
    assertThat(allocationsOfComparedTwin("netty")).isZero();
  }

  @Test
  void theTwinAnswersTheSameBytesFromCisternsPool() throws Exception {
    assertThat(allocationsOfComparedTwin("cistern")).isGreaterThan(100);
  }

  private static long allocationsOfComparedTwin(String allocator) throws Exception {
    long seed = Long.getLong("cistern.seed", System.nanoTime());
    System.out.println("seed " + seed);
    try (ServerRun twin = ServerRun.twin(allocator)) {
      for (String request : requests(new Random(seed))) {
        assertThat(withoutDate(Peer.exchange(twin.connectHttp(), request)))
            .as("-Dcistern.seed=%d, %s", seed, request)
            .isEqualTo(withoutDate(Peer.exchange(server.connectHttp(), request)));
      }
      String echoed = Peer.GET.repeat(1_000);
      assertThat(Peer.exchange(twin.connectEcho(), echoed))
          .isEqualTo(Peer.exchange(server.connectEcho(), echoed))
          .isEqualTo(echoed);
      return twin.endTwin();
    }
  }

  private static String withoutDate(String answers) {
    return answers.replaceAll("Date: [^\r]*", "Date: ");
  }

  private static List<String> requests(Random random) {
    List<String> requests =
        new ArrayList<>(
            List.of(
                Peer.GET.repeat(2_000),
                Peer.GET + Peer.LAST_GET + Peer.GET,
                "POST /plaintext HTTP/1.1\r\nHost: x\r\nContent-Length: 300000\r\n\r\n"
                    + "x".repeat(300_000)
                    + Peer.GET,
                "GET / HTTP/1.1\r\nX: " + "x".repeat(9_000)));
    for (int i = 0; i < 100; i++) {
      StringBuilder damaged = new StringBuilder(Peer.GET.repeat(3));
      damaged.setCharAt(random.nextInt(damaged.length()), (char) random.nextInt(256));
      requests.add(damaged.toString());
    }
    return requests;
  }
}
