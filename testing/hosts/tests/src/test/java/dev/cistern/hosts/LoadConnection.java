/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.hosts;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;

/**
 * A connection to an HTTP host. It can send and receive at the same time, as a streaming host
 * needs, and can stop in the middle of a message.
 */
final class LoadConnection implements AutoCloseable {
  private static final int LIMIT_MILLIS = 60_000;

  /**
   * The window is far smaller than the bytes that a host may have pending, so that the host soon
   * cannot write any more.
   */
  private static final int SMALL_WINDOW_BYTES = 8 << 10;

  private final Socket socket = new Socket();
  private final DataInputStream in;

  private LoadConnection(int port, boolean smallWindow) throws IOException {
    try {
      if (smallWindow) {
        socket.setReceiveBufferSize(SMALL_WINDOW_BYTES);
      }
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(LIMIT_MILLIS);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), LIMIT_MILLIS);
      in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  static LoadConnection open(int port) throws IOException {
    return new LoadConnection(port, false);
  }

  static LoadConnection withSmallWindow(int port) throws IOException {
    return new LoadConnection(port, true);
  }

  /**
   * Sends a whole request on another thread, because the calling thread must read at the same time.
   */
  CompletableFuture<Void> post(String target, byte[] body, Executor writers) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            post(target, body, body.length);
          } catch (IOException e) {
            throw new CompletionException(e);
          }
        },
        writers);
  }

  /** Sends a request with only the first bytes of its body. */
  void post(String target, byte[] body, int sentBytes) throws IOException {
    String head =
        String.join(
            "\r\n",
            "POST %s HTTP/1.1",
            "Host: localhost",
            "Content-Type: application/octet-stream",
            "Content-Length: %d",
            "",
            "");
    var out = socket.getOutputStream();
    out.write(head.formatted(target, body.length).getBytes(StandardCharsets.US_ASCII));
    out.write(body, 0, sentBytes);
  }

  /** Returns the body of the response. */
  byte[] receive() throws IOException {
    int length = receiveHead();
    if (length >= 0) {
      byte[] body = new byte[length];
      in.readFully(body);
      return body;
    }
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    byte[] chunk;
    do {
      chunk = new byte[Integer.parseInt(line(), 16)];
      in.readFully(chunk);
      body.writeBytes(chunk);
      line();
    } while (chunk.length > 0);
    return body.toByteArray();
  }

  /** Returns the length of the body, or -1 if the body has chunks. */
  int receiveHead() throws IOException {
    String status = line();
    if (!status.startsWith("HTTP/1.1 200")) {
      throw new IOException("request failed: " + status);
    }
    int length = 0;
    for (String line = line(); !line.isEmpty(); line = line()) {
      String header = line.toLowerCase(Locale.ROOT);
      if (header.startsWith("content-length:")) {
        length = Integer.parseInt(header.substring("content-length:".length()).trim());
      } else if (header.startsWith("transfer-encoding:") && header.endsWith("chunked")) {
        length = -1;
      }
    }
    return length;
  }

  /** Closes the connection so that the host's next read or write fails. */
  void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("connection closed inside a response: " + line);
      }
      if (next != '\r') {
        line.append((char) next);
      }
    }
    return line.toString();
  }
}
