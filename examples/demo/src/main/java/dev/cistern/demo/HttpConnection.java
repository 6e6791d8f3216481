/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.demo;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * A blocking HTTP/1.1 connection that keeps every byte of the responses. It supports pipelining:
 * send several requests, then receive as many responses. Not thread-safe.
 */
public final class HttpConnection implements AutoCloseable {
  private static final int BUFFER_BYTES = 64 << 10;
  private static final int LIMIT_MILLIS = 10_000;
  private static final int MAX_LINE_BYTES = 16 << 10;
  private static final int MAX_BODY_BYTES = 256 << 20;

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private final String authority;

  private HttpConnection(Socket socket, String authority) throws IOException {
    this.socket = socket;
    this.in = new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES);
    this.out = socket.getOutputStream();
    this.authority = authority;
  }

  /** Connects to a plain HTTP port. */
  public static HttpConnection open(String host, int port) throws IOException {
    return open(host, port, null);
  }

  /** Connects, over TLS if there is a context. */
  public static HttpConnection open(String host, int port, @Nullable SSLContext tls)
      throws IOException {
    Socket socket = new Socket();
    try {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(LIMIT_MILLIS);
      socket.connect(new InetSocketAddress(host, port), LIMIT_MILLIS);
      if (tls != null) {
        socket = tls.getSocketFactory().createSocket(socket, host, port, true);
        ((SSLSocket) socket).startHandshake();
      }
      // The Host header has no port, so that two servers receive the same bytes.
      return new HttpConnection(socket, host);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /** Opens a connection, makes one GET request, and closes the connection. */
  public static HttpReply get(String host, int port, String target) throws IOException {
    try (HttpConnection connection = open(host, port)) {
      return connection.get(target);
    }
  }

  /** Makes a GET request and returns its response. */
  public HttpReply get(String target) throws IOException {
    send("GET", target, new byte[0]);
    return receive();
  }

  /** Makes a POST request and returns its response. */
  public HttpReply post(String target, byte[] body) throws IOException {
    send("POST", target, body);
    return receive();
  }

  /** Sends a request without waiting for its response. */
  public void send(String method, String target, byte[] body) throws IOException {
    String head = method + " " + target + " HTTP/1.1\r\nHost: " + authority + "\r\n";
    if (body.length > 0) {
      head += "Content-Length: " + body.length + "\r\n";
    }
    send((head + "\r\n").getBytes(StandardCharsets.US_ASCII));
    if (body.length > 0) {
      send(body);
    }
  }

  /** Sends bytes unchanged. */
  public void send(byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
  }

  /**
   * Receives one response.
   *
   * @throws IOException if the response is malformed, or does not arrive within 10 seconds
   */
  public HttpReply receive() throws IOException {
    ByteArrayOutputStream raw = new ByteArrayOutputStream();
    String statusLine = readLine(raw);
    String[] words = statusLine.split(" ", 3);
    if (words.length < 2 || !words[0].startsWith("HTTP/1.")) {
      throw new IOException("no HTTP status line: " + statusLine);
    }
    int length = 0;
    boolean chunked = false;
    for (String line = readLine(raw); !line.isEmpty(); line = readLine(raw)) {
      String header = line.toLowerCase(Locale.ROOT);
      if (header.startsWith("content-length:")) {
        length = Integer.parseInt(header.substring("content-length:".length()).trim());
      } else if (header.startsWith("transfer-encoding:") && header.endsWith("chunked")) {
        chunked = true;
      }
    }
    byte[] body = chunked ? readChunks(raw) : readBody(raw, length);
    return new HttpReply(Integer.parseInt(words[1]), raw.toByteArray(), body);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  private byte[] readBody(ByteArrayOutputStream raw, int length) throws IOException {
    if (length < 0 || length > MAX_BODY_BYTES) {
      throw new IOException("body of " + length + " bytes; the limit is " + MAX_BODY_BYTES);
    }
    byte[] body = in.readNBytes(length);
    if (body.length < length) {
      throw new EOFException("body ended after " + body.length + " of " + length + " bytes");
    }
    raw.writeBytes(body);
    return body;
  }

  private byte[] readChunks(ByteArrayOutputStream raw) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    while (true) {
      int length = Integer.parseInt(readLine(raw), 16);
      body.writeBytes(readBody(raw, length));
      readLine(raw);
      if (length == 0) {
        return body.toByteArray();
      }
    }
  }

  private String readLine(ByteArrayOutputStream raw) throws IOException {
    StringBuilder line = new StringBuilder();
    while (true) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException("connection closed inside an answer: " + line);
      }
      raw.write(next);
      if (next == '\n') {
        return line.toString();
      }
      if (next != '\r') {
        line.append((char) next);
      }
      if (line.length() > MAX_LINE_BYTES) {
        throw new IOException("header line above " + MAX_LINE_BYTES + " bytes");
      }
    }
  }
}
