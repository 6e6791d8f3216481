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
 * A blocking HTTP/1.1 connection that keeps every byte of the answers and lets requests be
 * pipelined: send several, then receive as many. Not thread-safe.
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

  /** Connects, over TLS when there is a context. */
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
      // The port stays out of the Host header: two servers then get the same bytes.
      return new HttpConnection(socket, host);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /** Opens a connection, does one GET, closes. */
  public static HttpReply get(String host, int port, String target) throws IOException {
    try (HttpConnection connection = open(host, port)) {
      return connection.get(target);
    }
  }

  /** GET and its answer. */
  public HttpReply get(String target) throws IOException {
    send("GET", target, new byte[0]);
    return receive();
  }

  /** POST and its answer. */
  public HttpReply post(String target, byte[] body) throws IOException {
    send("POST", target, body);
    return receive();
  }

  /** Sends a request and does not wait for its answer. */
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

  /** Sends bytes as they are. */
  public void send(byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
  }

  /**
   * Receives one answer.
   *
   * @throws IOException when it is malformed, or does not come within 10 seconds
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
