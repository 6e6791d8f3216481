/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.demo.HttpConnection;
import dev.cistern.demo.HttpReply;
import dev.cistern.demo.LoadDriver;
import dev.cistern.demo.LoadPlan;
import dev.cistern.demo.LoadReport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerTest {
  private static Server server;

  @BeforeAll
  static void start() throws IOException {
    server = Server.start(options("--port", "0", "--tls-port", "0"));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void answersEveryStepOfTheLoad() throws Exception {
    LoadReport load =
        LoadDriver.run(
            server.port(), server.tlsPort(), new LoadPlan(4, Duration.ofSeconds(30), 500, 0));
    assertThat(load.firstFailure()).isNull();
    assertThat(load.requests()).isGreaterThanOrEqualTo(500);
  }

  @Test
  void aLoadKeepsItsRate() throws Exception {
    LoadReport load =
        LoadDriver.run(server.port(), -1, new LoadPlan(2, Duration.ofSeconds(30), 50, 200));
    assertThat(load.elapsed()).isGreaterThanOrEqualTo(Duration.ofMillis(150));
  }

  @ParameterizedTest
  @CsvSource({
    "/nowhere, 404, no such endpoint",
    "/bytes?size=x, 400, 'size must be a number from 0 to 67108864, not x'",
    "/bytes?size=-1, 400, not -1",
    "/chunked?chunks=0, 400, chunks",
    "/leak?count=100000&size=1048576, 400, must not exceed 268435456 bytes",
    "/echo, 405, POST",
  })
  void rejectsInvalidRequests(String target, int status, String message) throws Exception {
    HttpReply reply = get(target);
    assertThat(reply.status()).isEqualTo(status);
    assertThat(reply.text()).contains(message);
  }

  @Test
  void rejectsInputThatIsNotHttp() throws Exception {
    try (HttpConnection connection = HttpConnection.open("127.0.0.1", server.port())) {
      connection.send("HTTP is this not\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(connection.receive().status()).isEqualTo(400);
    }
  }

  @Test
  void refusesABodyAboveTheLimit() throws Exception {
    try (HttpConnection connection = HttpConnection.open("127.0.0.1", server.port())) {
      connection.send(
          "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n"
              .getBytes(StandardCharsets.US_ASCII));
      assertThat(connection.receive().status()).isEqualTo(413);
    }
  }

  @Test
  void closesWhenTheClientRequestsIt() throws Exception {
    try (HttpConnection connection = HttpConnection.open("127.0.0.1", server.port())) {
      connection.send(
          "GET /plaintext HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
              .getBytes(StandardCharsets.US_ASCII));
      assertThat(connection.receive().text()).isEqualTo("Hello, World!");
      assertThatThrownBy(connection::receive).hasMessageContaining("connection closed");
    }
  }

  @Test
  void reportsItsAllocator() throws Exception {
    assertThat(get("/memory").text())
        .contains("\"allocator\": \"io.netty.buffer.PooledByteBufAllocator\"")
        .containsPattern("\"used_direct_bytes\": [0-9]+");
  }

  @Test
  void namesThePortThatIsTaken() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = String.valueOf(taken.getLocalPort());
      assertThatThrownBy(() -> Server.start(options("--port", port, "--tls-port", "none")))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(port)
          .hasMessageContaining("--port");
    }
  }

  @Test
  void namesTheOptionThatIsWrong() {
    assertThatThrownBy(() -> options("--threads", "0"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--threads must be a number from 1 to 1024, not 0");
  }

  private static HttpReply get(String target) throws IOException {
    return HttpConnection.get("127.0.0.1", server.port(), target);
  }

  private static ServerOptions options(String... args) {
    return ServerOptions.parse(List.of(args));
  }
}
