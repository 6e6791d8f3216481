/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.demo.HttpConnection;
import dev.cistern.demo.HttpReply;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** The requests to an HTTP host. */
final class HttpTalk implements Client {
  private static final String HOST = "127.0.0.1";
  private static final int[] BODIES = {1, 700, 16 << 10, 1 << 20};
  private static final int STREAM_BYTES = 64 * 3_000;
  private static final int SMALL_REQUESTS = 20;

  private final @Nullable SSLContext tls;

  private HttpTalk(@Nullable SSLContext tls) {
    this.tls = tls;
  }

  static HttpTalk plain() {
    return new HttpTalk(null);
  }

  static HttpTalk over(SSLContext tls) {
    return new HttpTalk(tls);
  }

  @Override
  public void touch(int port) throws IOException {
    try (HttpConnection connection = HttpConnection.open(HOST, port, tls)) {
      plaintext(connection);
    }
  }

  @Override
  public Map<String, byte[]> talk(int port) throws IOException {
    Map<String, byte[]> answers = new LinkedHashMap<>();
    try (HttpConnection connection = HttpConnection.open(HOST, port, tls)) {
      for (int i = 0; i < SMALL_REQUESTS; i++) {
        answers.put("plaintext " + i, bytes(plaintext(connection)));
      }
      answers.put("json", bytes(checked(connection.get("/json"))));
      for (int size : BODIES) {
        byte[] body = body(size);
        HttpReply echo = checked(connection.post("/echo", body));
        assertThat(echo.body()).as("echo of %d bytes", size).isEqualTo(body);
        answers.put("echo " + size, bytes(echo));
      }
      HttpReply stream = checked(connection.get("/stream"));
      assertThat(stream.body()).as("stream").isEqualTo(ramp(STREAM_BYTES));
      answers.put("stream", bytes(stream));
      // The body is ignored because some hosts include the time.
      answers.put("nowhere", head(connection.get("/nowhere")));
    }
    return answers;
  }

  @Override
  public Optional<OpenConnection> open(int port) throws IOException {
    return Optional.of(OpenConnection.idle(port));
  }

  private static HttpReply plaintext(HttpConnection connection) throws IOException {
    HttpReply reply = checked(connection.get("/plaintext"));
    assertThat(reply.text()).isEqualTo("Hello, World!");
    return reply;
  }

  private static HttpReply checked(HttpReply reply) {
    assertThat(reply.status())
        .as(() -> new String(reply.raw(), StandardCharsets.ISO_8859_1))
        .isEqualTo(200);
    return reply;
  }

  /**
   * Returns the response without the framing of its chunks. Some hosts send a part as it arrives,
   * and the network may split parts anywhere.
   */
  private static byte[] bytes(HttpReply reply) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(head(reply));
    bytes.writeBytes(reply.body());
    return bytes.toByteArray();
  }

  private static byte[] head(HttpReply reply) {
    String raw = new String(reply.raw(), StandardCharsets.ISO_8859_1);
    return Arrays.copyOf(reply.raw(), raw.indexOf("\r\n\r\n") + 4);
  }

  private static byte[] body(int size) {
    byte[] body = new byte[size];
    new Random(size).nextBytes(body);
    return body;
  }

  /** Returns the joined content of the parts of a stream. */
  private static byte[] ramp(int size) {
    byte[] ramp = new byte[size];
    for (int i = 0; i < size; i++) {
      ramp[i] = (byte) (i % 251);
    }
    return ramp;
  }
}
