/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.demo;

import static org.assertj.core.api.Assertions.assertThat;

import example.app.Content;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks that the application's responses with and without the agent are the same, byte for byte.
 */
class SameAnswersIT {
  private static final int MEBIBYTE = 1 << 20;
  private static final int PIPELINED = 48;

  @ParameterizedTest
  @MethodSource("dev.cistern.demo.Demo#hosts")
  void answersAreTheSameByteForByte(Demo.Host host) throws Exception {
    Map<String, byte[]> bare;
    List<String> bareErrors;
    try (ServerProcess server = Demo.start(host.bare())) {
      assertThat(server.nettyVersion()).startsWith(host.netty() + ".");
      bare = transcript(server);
      bareErrors = server.errors();
    }
    try (ServerProcess server = Demo.startServed(host)) {
      Metrics metrics = Demo.metrics(server);
      double before = served(metrics);
      Map<String, byte[]> woven = transcript(server);
      assertThat(woven.keySet()).isEqualTo(bare.keySet());
      bare.forEach((name, bytes) -> assertThat(woven.get(name)).as(name).isEqualTo(bytes));
      // Otherwise, the test would compare Netty's pool with itself.
      assertThat(served(metrics) - before).isGreaterThanOrEqualTo(bare.size());
      assertThat(server.errors())
          .as("stderr, without the agent's lines")
          .filteredOn(line -> !line.startsWith("cistern: "))
          .isEqualTo(bareErrors);
    }
  }

  private static double served(Metrics metrics) throws IOException {
    return metrics.scrape().sum("cistern_served_allocations_total");
  }

  private static Map<String, byte[]> transcript(ServerProcess server) throws IOException {
    Map<String, byte[]> answers = new LinkedHashMap<>();
    SSLContext tls =
        Trust.only(HttpConnection.get(Demo.HOST, server.port(), "/certificate").text());
    try (HttpConnection plain = HttpConnection.open(Demo.HOST, server.port());
        HttpConnection secure = HttpConnection.open(Demo.HOST, server.tlsPort(), tls)) {
      converse("plain", plain, answers);
      converse("TLS", secure, answers);
    }
    return answers;
  }

  private static void converse(String name, HttpConnection connection, Map<String, byte[]> answers)
      throws IOException {
    answers.put(name + " small", check(connection.get("/bytes?size=100"), Content.bytes(100)));
    answers.put(name + " empty", check(connection.get("/bytes?size=0"), new byte[0]));
    for (int size : new int[] {MEBIBYTE, MEBIBYTE + 1, 5 * MEBIBYTE}) {
      answers.put(
          name + " " + size, check(connection.get("/bytes?size=" + size), Content.bytes(size)));
    }
    answers.put(
        name + " chunked",
        check(connection.get("/chunked?chunks=100&size=3000"), Content.bytes(300_000)));
    for (int size : new int[] {1, 16 << 10, 300_000, MEBIBYTE}) {
      byte[] body = Content.bytes(size);
      answers.put(name + " echo " + size, check(connection.post("/echo", body), body));
    }
    answers.put(name + " not found", connection.get("/nowhere").raw());
    answers.put(name + " refused", connection.get("/bytes?size=-1").raw());
    pipeline(name, connection, answers);
  }

  private static void pipeline(String name, HttpConnection connection, Map<String, byte[]> answers)
      throws IOException {
    StringBuilder requests = new StringBuilder();
    for (int i = 0; i < PIPELINED; i++) {
      requests.append("GET ").append(pipelined(i)).append(" HTTP/1.1\r\nHost: x\r\n\r\n");
    }
    connection.send(requests.toString().getBytes(StandardCharsets.US_ASCII));
    for (int i = 0; i < PIPELINED; i++) {
      HttpReply reply = connection.receive();
      assertThat(reply.status()).isEqualTo(200);
      answers.put(name + " pipelined " + i, reply.raw());
    }
  }

  private static String pipelined(int number) {
    return switch (number % 3) {
      case 0 -> "/plaintext";
      case 1 -> "/bytes?size=" + number * 997;
      default -> "/chunked?chunks=" + number + "&size=333";
    };
  }

  private static byte[] check(HttpReply reply, byte[] body) {
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body()).isEqualTo(body);
    return reply.raw();
  }
}
