/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.PooledByteBufAllocator;
import dev.cistern.testing.TestLength;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HttpSessionTest {
  private static final String GET = "GET /plaintext HTTP/1.1\r\nHost: x\r\n\r\n";
  private static final String POST =
      "POST /elsewhere HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\nGET / HTTP/";
  private static final String LAST =
      "GET /plaintext HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

  private final PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);

  @AfterEach
  void nothingStaysPinned() {
    assertThat(allocator.pinnedDirectMemory() + allocator.pinnedHeapMemory()).isZero();
  }

  /** A session whose responses are read immediately. */
  private final class Client implements HttpSession.Sink {
    final HttpSession session = new HttpSession(allocator, new Responses(), this);
    final StringBuilder statuses = new StringBuilder();
    int buffers;
    int roomBuffers = Integer.MAX_VALUE;

    @Override
    public boolean isWritable() {
      return roomBuffers > 0;
    }

    @Override
    public void write(ByteBuf answers) {
      roomBuffers--;
      buffers++;
      statuses.append(HttpAnswers.statuses(answers.toString(StandardCharsets.US_ASCII)));
      answers.release();
    }

    void send(String text) {
      byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
      session.received(allocator.directBuffer(bytes.length).writeBytes(bytes));
    }

    String statuses() {
      return statuses.toString();
    }
  }

  /**
   * Checks how much memory the server holds for a client that does not read, with one request at a
   * time.
   */
  @Test
  void answersThatWaitAreInBuffersOfTheirSize() {
    List<ByteBuf> waiting = new ArrayList<>();
    HttpSession session =
        new HttpSession(
            allocator,
            new Responses(),
            new HttpSession.Sink() {
              @Override
              public boolean isWritable() {
                return true;
              }

              @Override
              public void write(ByteBuf answers) {
                waiting.add(answers);
              }
            });
    for (String request :
        List.of(GET, POST, GET + POST + GET, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")) {
      byte[] bytes = request.getBytes(StandardCharsets.ISO_8859_1);
      session.received(allocator.directBuffer(64 << 10).writeBytes(bytes));
    }
    assertThat(waiting).hasSize(4);
    for (ByteBuf answers : waiting) {
      assertThat(answers.capacity()).isLessThan(2 * answers.readableBytes());
      answers.release();
    }
  }

  private Client answered(String... parts) {
    Client client = new Client();
    for (String part : parts) {
      client.send(part);
    }
    client.session.close();
    return client;
  }

  @Test
  void answersOfOneReadGoInOneBuffer() {
    Client client = answered(GET.repeat(16));
    assertThat(client.statuses()).isEqualTo("200 ".repeat(16));
    assertThat(client.buffers).isEqualTo(1);
  }

  @Test
  void manyAnswersTakeMoreBuffers() {
    Client client = answered(GET.repeat(1_000));
    assertThat(client.statuses()).isEqualTo("200 ".repeat(1_000));
    assertThat(client.buffers).isBetween(2, 100);
  }

  @Test
  void aRequestMayArriveInTwoPartsSplitAnywhere() {
    String all = GET + POST + GET + POST + LAST;
    for (int cut = 0; cut <= all.length(); cut++) {
      String first = all.substring(0, cut);
      assertThat(answered(first, all.substring(cut)).statuses())
          .as("cut at %d", cut)
          .isEqualTo("200 404 200 404 200 ");
    }
  }

  @Test
  void aRequestMayArriveByteByByte() {
    String all = GET + POST + LAST;
    assertThat(answered(all.split("(?!^)")).statuses()).isEqualTo("200 404 200 ");
  }

  @Test
  void aBodyIsSkippedAndNotTakenForARequest() {
    String body = GET.repeat(3_000);
    Client client = new Client();
    client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + body.length() + "\r\n\r\n");
    for (int from = 0; from < body.length(); from += 1_000) {
      client.send(body.substring(from, Math.min(body.length(), from + 1_000)));
      assertThat(allocator.pinnedDirectMemory()).isZero();
    }
    client.send(GET);
    assertThat(client.statuses()).isEqualTo("404 200 ");
  }

  @Test
  void nothingIsAnsweredAfterTheLastAnswer() {
    assertThat(answered(LAST + GET, GET).statuses()).isEqualTo("200 ");
    assertThat(answered("GET /plaintext HTTP/1.0\r\n\r\n" + GET).statuses()).isEqualTo("200 ");
    assertThat(answered(GET + "rubbish\r\n" + GET, GET).statuses()).isEqualTo("200 400 ");
    assertThat(answered("GET / HTTP/1.1\r\nX: " + "x".repeat(9_000)).statuses()).isEqualTo("431 ");
    assertThat(
            answered(
                    "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
                        + GET)
                .statuses())
        .isEqualTo("501 ");
  }

  @Test
  void holdsNoBufferAfterTheLastRequest() {
    Client client = new Client();
    client.send(GET.repeat(20));
    assertThat(allocator.pinnedDirectMemory()).as("an idle connection").isZero();
  }

  @Test
  void theRestOfALargeReadDoesNotHoldALargeBuffer() {
    Client client = new Client();
    client.session.received(
        allocator
            .directBuffer(64 << 10)
            .writeBytes((GET + "GET").getBytes(StandardCharsets.UTF_8)));
    assertThat(allocator.pinnedDirectMemory()).isBetween(3L, 64L);
    client.session.close();
  }

  @Test
  void stopsWhenTheSinkIsFullAndResumesLater() {
    Client client = new Client();
    client.roomBuffers = 1;
    client.send(GET.repeat(500));
    int answers = client.statuses().length();
    assertThat(answers).isBetween(1, 200);
    assertThat(allocator.pinnedDirectMemory()).as("the rest waits").isPositive();
    assertThat(client.session.resume()).isTrue();
    assertThat(client.statuses()).as("no answer without room").hasSize(answers);
    client.roomBuffers = Integer.MAX_VALUE;
    assertThat(client.session.resume()).isTrue();
    assertThat(client.statuses()).isEqualTo("200 ".repeat(500));
    assertThat(client.session.resume()).isFalse();
  }

  @Test
  void anIncompleteRequestIsNotParsedAgainBeforeMoreInput() {
    Client client = new Client();
    client.send("GET /plain");
    assertThat(client.session.resume()).isFalse();
    client.session.close();
  }

  /**
   * Checks that the same bytes get the same responses, however they are split, and that no buffer
   * leaks.
   */
  @Test
  void invalidInputGetsTheSameResponsesHoweverItIsSplit() {
    long seed = Long.getLong("cistern.seed", System.nanoTime());
    System.out.println("seed " + seed);
    int rounds = TestLength.choose(4_000, 20_000, 500_000);
    for (int round = 0; round < rounds; round++) {
      Random random = new Random(seed + round);
      String bytes = rubbish(random);
      String whole = answered(bytes).statuses();
      assertThat(whole).matches("(200 |404 )*(400 |431 |501 )?");
      int cut = random.nextInt(bytes.length() + 1);
      int cutAgain = random.nextInt(cut, bytes.length() + 1);
      assertThat(
              answered(
                      bytes.substring(0, cut),
                      bytes.substring(cut, cutAgain),
                      bytes.substring(cutAgain))
                  .statuses())
          .as("-Dcistern.seed=%d, cut at %d and %d", seed + round, cut, cutAgain)
          .isEqualTo(whole);
    }
  }

  /** Returns requests with a few bytes changed, dropped or duplicated. */
  private static String rubbish(Random random) {
    StringBuilder bytes = new StringBuilder();
    for (int requests = random.nextInt(1, 5); requests > 0; requests--) {
      bytes.append(new String[] {GET, POST, GET + GET, LAST}[random.nextInt(4)]);
    }
    for (int changes = random.nextInt(4); changes > 0; changes--) {
      int index = random.nextInt(bytes.length());
      switch (random.nextInt(4)) {
        case 0 -> bytes.setCharAt(index, (char) random.nextInt(256));
        case 1 -> bytes.deleteCharAt(index);
        case 2 -> bytes.insert(index, "\r\n \t:,/0\0".charAt(random.nextInt(9)));
        default -> bytes.insert(index, bytes.substring(index, Math.min(bytes.length(), index + 9)));
      }
    }
    return bytes.toString();
  }
}
