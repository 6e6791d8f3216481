/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import dev.cistern.exporter.web.TestKeys;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;

/** A client that sends exactly the given bytes, with TLS or without. */
final class RawHttp {
  private static final int LIMIT_MILLIS = 20_000;
  private static final String SETPRIV = "/usr/bin/setpriv";

  private final int port;
  private final SSLContext tls;

  private RawHttp(int port, SSLContext tls) {
    this.port = port;
    this.tls = tls;
  }

  static RawHttp plain(int port) {
    return new RawHttp(port, null);
  }

  /**
   * Returns a client with TLS.
   *
   * @param authority the authority that the client trusts
   * @param client the client's own certificate; null if it has none
   */
  static RawHttp tls(int port, TestKeys keys, String authority, String client)
      throws IOException, GeneralSecurityException {
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(keys.trusting(authority));
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(client == null ? null : keys.storeOf(client), keys.password());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), trust.getTrustManagers(), null);
    return new RawHttp(port, context);
  }

  /** Opens a connection; TLS begins with the first byte. */
  Socket connect() throws IOException {
    Socket socket =
        tls == null
            ? new Socket(InetAddress.getLoopbackAddress(), port)
            : tls.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(LIMIT_MILLIS);
    return socket;
  }

  /**
   * Sends a request, and returns all bytes until the server closes the connection, including bytes
   * before a reset.
   */
  String send(String request) throws IOException {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().flush();
      return readAll(socket.getInputStream());
    }
  }

  /**
   * As {@link #get}, but repeats the request while the server closes the connection: after many
   * other connections it can close a new one.
   */
  String getWhenPossible(String path) throws IOException {
    String response = "";
    for (int attempts = 0; attempts < 3 && response.isEmpty(); attempts++) {
      try {
        response = get(path);
      } catch (SocketException | SSLException closed) {
        System.out.println("closed: " + closed);
      }
    }
    return response;
  }

  /** Returns whether {@link #getAs} works for a user. */
  static boolean canBe(int user) throws IOException, InterruptedException {
    return Files.isExecutable(Path.of(SETPRIV)) && as(user, "true").start().waitFor() == 0;
  }

  /** Returns the response to a request from a process of another user of the system. */
  static String getAs(int user, int port, String path) throws IOException, InterruptedException {
    String script =
        """
        exec 3<>/dev/tcp/127.0.0.1/%2$d
        printf 'GET %1$s HTTP/1.1\\r\\nHost: localhost:%2$d\\r\\nConnection: close\\r\\n\\r\\n' >&3
        cat <&3
        """
            .formatted(path, port);
    Process process = as(user, script).start();
    String response = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return response;
  }

  private static ProcessBuilder as(int user, String script) {
    return new ProcessBuilder(
            SETPRIV, "--reuid=" + user, "--regid=" + user, "--clear-groups", "bash", "-c", script)
        .directory(new File("/"))
        .redirectErrorStream(true);
  }

  static String readAll(InputStream in) throws IOException {
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    byte[] buffer = new byte[8192];
    try {
      for (int count; (count = in.read(buffer)) >= 0; ) {
        read.write(buffer, 0, count);
      }
    } catch (SocketException e) {
      if (read.size() == 0) {
        throw e;
      }
    }
    return read.toString(StandardCharsets.ISO_8859_1);
  }

  /** Returns the whole response to a GET request from a client that uses a foreign name. */
  String get(String path, String... headers) throws IOException {
    return request("GET", path, headers);
  }

  String request(String method, String path, String... headers) throws IOException {
    StringBuilder request = new StringBuilder(method + " " + path + " HTTP/1.0\r\n");
    request.append("Host: shop.example\r\n");
    for (String header : headers) {
      request.append(header).append("\r\n");
    }
    return send(request.append("\r\n").toString());
  }

  /** Returns the header of a login. */
  static String login(String user, String password) {
    byte[] pair = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
    return "Authorization: Basic " + Base64.getEncoder().encodeToString(pair);
  }
}
