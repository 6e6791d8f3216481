/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.Unpooled;
import example.server.RequestHead.Result;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestHeadTest {
  private static final String HOST = "Host: x\r\n";

  private final RequestHead head = new RequestHead();

  private Result read(String text) {
    return head.read(Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1));
  }

  @Test
  void readsToTheEndOfTheHeadAndNoFurther() {
    ByteBuf input =
        Unpooled.copiedBuffer(
            "GET /plaintext HTTP/1.1\r\n" + HOST + "\r\nbody", StandardCharsets.US_ASCII);
    assertThat(head.read(input)).isEqualTo(Result.COMPLETE);
    assertThat(head.isPlaintext()).isTrue();
    assertThat(head.isLast()).isFalse();
    assertThat(head.contentLength()).isZero();
    assertThat(input.toString(StandardCharsets.US_ASCII)).isEqualTo("body");
  }

  @Test
  void everyPrefixIsIncompleteAndMovesNothing() {
    String whole = "POST /plaintext HTTP/1.1\r\n" + HOST + "Content-Length: 5\r\n\r\n";
    for (int length = 0; length < whole.length(); length++) {
      ByteBuf input = Unpooled.copiedBuffer(whole.substring(0, length), StandardCharsets.US_ASCII);
      assertThat(head.read(input)).as("%d bytes", length).isEqualTo(Result.INCOMPLETE);
      assertThat(input.readerIndex()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /plaintext HTTP/1.1",
        "POST /plaintext HTTP/1.1",
      })
  void knowsPlaintext(String line) {
    assertThat(read(line + "\r\n" + HOST + "\r\n")).isEqualTo(Result.COMPLETE);
    assertThat(head.isPlaintext()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.1",
        "GET /plaintexT HTTP/1.1",
        "GET /plaintext/ HTTP/1.1",
        "GET /plaintex HTTP/1.1",
        "HEAD /plaintext HTTP/1.1",
        "get /plaintext HTTP/1.1",
        "PUT /plaintext HTTP/1.1",
        "OPTIONS * HTTP/1.1",
      })
  void aRequestThatIsNotPlaintextIsValid(String line) {
    assertThat(read(line + "\r\n" + HOST + "\r\n")).isEqualTo(Result.COMPLETE);
    assertThat(head.isPlaintext()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\u0016\u0003\u0001",
        " GET / HTTP/1.1\r\n",
        "\r\n",
        "\n",
        "GET / HTTP/1.1\n",
        "GET /\r\n",
        "GET  HTTP/1.1\r\n",
        "GET / HTTP/2.0\r\n",
        "GET / HTTP/1.10\r\n",
        "GET / http/1.1\r\n",
        "GET /a b HTTP/1.1\r\n",
        "GET  / HTTP/1.1\r\n",
        " / HTTP/1.1\r\n",
        "G(T / HTTP/1.1\r\n",
        "GET /\t HTTP/1.1\r\n",
        "GET /\u007f HTTP/1.1\r\n",
        "HTTP/1.1\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\n" + HOST + HOST + "\r\n",
        "GET / HTTP/1.1\r\n Host: x\r\n",
        "GET / HTTP/1.1\r\nHost : x\r\n",
        "GET / HTTP/1.1\r\nHost\r\n",
        "GET / HTTP/1.1\r\n: x\r\n",
        "GET / HTTP/1.1\r\nHost: x\ry\r\n",
        "GET / HTTP/1.1\r\nHost: \0\r\n",
        "GET / HTTP/1.1\r\n" + HOST + " folded\r\n",
        "GET / HTTP/1.1\r\n" + HOST + "Content-Length: \r\n",
        "GET / HTTP/1.1\r\n" + HOST + "Content-Length: -1\r\n",
        "GET / HTTP/1.1\r\n" + HOST + "Content-Length: +1\r\n",
        "GET / HTTP/1.1\r\n" + HOST + "Content-Length: 1, 1\r\n",
        "GET / HTTP/1.1\r\n" + HOST + "Content-Length: 1\r\nContent-Length: 2\r\n",
        "GET / HTTP/1.1\r\n" + HOST + "Content-Length: 1000000000000000000\r\n",
      })
  void rejectsInputThatTheGrammarForbids(String text) {
    assertThat(read(text)).isEqualTo(Result.BAD);
  }

  @Test
  void fieldsCountInAnyCaseAndWithBlanks() {
    String[] lines = {
      "GET / HTTP/1.1",
      "hOST:x",
      "CONTENT-length: \t12 ",
      "X-Other:",
      "connection: keep-alive ,\tCLOSE",
      "\r\n"
    };
    assertThat(read(String.join("\r\n", lines))).isEqualTo(Result.COMPLETE);
    assertThat(head.contentLength()).isEqualTo(12);
    assertThat(head.isLast()).isTrue();
  }

  @Test
  void aNameOfTheSameLengthIsAnother() {
    assertThat(
            read(
                "GET / HTTP/1.1\r\n"
                    + HOST
                    + "Content-Lengtk: 12\r\nConnectioN-: close\r\nConnectiom: close\r\n"
                    + "Connection: closed, disclose\r\nTransfer-Encodinj: chunked\r\n\r\n"))
        .isEqualTo(Result.COMPLETE);
    assertThat(head.contentLength()).isZero();
    assertThat(head.isLast()).isFalse();
    assertThat(head.hasTransferEncoding()).isFalse();
  }

  @Test
  void theOldVersionNeedsNoHostAndEndsTheConnection() {
    assertThat(read("GET /plaintext HTTP/1.0\r\n\r\n")).isEqualTo(Result.COMPLETE);
    assertThat(head.isLast()).isTrue();
  }

  @Test
  void aHeadMayHaveEightKibibytes() {
    String start = "GET / HTTP/1.1\r\n" + HOST + "X: ";
    String end = "\r\n\r\n";
    int room = RequestHead.MAX_BYTES - start.length() - end.length();
    assertThat(read(start + "x".repeat(room) + end)).isEqualTo(Result.COMPLETE);
    assertThat(read(start + "x".repeat(room + 1) + end)).isEqualTo(Result.TOO_LARGE);
    assertThat(read("x".repeat(RequestHead.MAX_BYTES - 1))).isEqualTo(Result.INCOMPLETE);
    assertThat(read("x".repeat(RequestHead.MAX_BYTES))).isEqualTo(Result.TOO_LARGE);
  }
}
