/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.common;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

/**
 * The HTTP server of a host that does not serve HTTP with Netty. It is the JDK's server, which
 * passes the body of {@code /echo} to the library under test and returns the library's result.
 */
public final class EchoServer {
  private EchoServer() {}

  /** The path of a body through the library. */
  public interface Way {
    /** Returns the body after its path through the library. */
    byte[] pass(byte[] body) throws Exception;
  }

  /** Starts a server and returns its port. */
  public static int start(Way way) throws IOException {
    // Otherwise, each response waits for an acknowledgement of its head.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newCachedThreadPool());
    server.createContext("/echo", exchange -> answer(exchange, way));
    server.start();
    return server.getAddress().getPort();
  }

  private static void answer(HttpExchange exchange, Way way) {
    try (exchange) {
      byte[] passed = pass(exchange.getRequestBody().readAllBytes(), way);
      exchange.sendResponseHeaders(200, passed.length == 0 ? -1 : passed.length);
      try (OutputStream out = exchange.getResponseBody()) {
        out.write(passed);
      }
    } catch (IOException e) {
      // The client has cancelled its request.
    }
  }

  /** Prints each failure, because the JDK's server would close the connection without a message. */
  private static byte[] pass(byte[] body, Way way) throws IOException {
    try {
      return way.pass(body);
    } catch (Throwable e) {
      System.err.println("request failed: " + e);
      throw new IOException(e);
    }
  }
}
