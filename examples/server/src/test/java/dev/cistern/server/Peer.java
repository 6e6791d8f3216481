/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.server;

import java.io.IOException;
import java.io.InputStream;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** The client side of a connection. */
final class Peer {
  static final String GET = "GET /plaintext HTTP/1.1\r\nHost: x\r\n\r\n";
  static final String LAST_GET = "GET /plaintext HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

  private Peer() {}

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  static void send(SocketChannel channel, byte[] bytes) throws IOException {
    ByteBuffer rest = ByteBuffer.wrap(bytes);
    while (rest.hasRemaining()) {
      channel.write(rest);
    }
  }

  /** Returns all bytes until the server ends the connection. */
  static String receiveAll(SocketChannel channel) throws IOException {
    InputStream input = channel.socket().getInputStream();
    return new String(input.readAllBytes(), StandardCharsets.ISO_8859_1);
  }

  /** Sends a request, ends the output, and returns all bytes that the server sends back. */
  static String exchange(SocketChannel channel, String request) throws IOException {
    try (channel) {
      send(channel, bytes(request));
      channel.shutdownOutput();
      return receiveAll(channel);
    }
  }

  /** Closes the connection in such a way that the server receives a reset. */
  static void reset(SocketChannel channel) throws IOException {
    channel.setOption(StandardSocketOptions.SO_LINGER, 0);
    channel.close();
  }
}
