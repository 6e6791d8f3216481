/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.cistern.util.concurrent.FastThreadLocalThread;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The JDK's HTTP server; its four loops allocate the buffers of requests from Cistern's library.
 */
final class LibraryBurstServer {
  private static final int BACKLOG = 1024;

  private final List<ExecutorService> loops = new ArrayList<>();
  private final HeldRequests requests = new HeldRequests(loops);
  private final Subject allocator = new CisternSubject();
  private final AtomicInteger nextLoop = new AtomicInteger();

  /** The loop of the current thread. */
  private final ThreadLocal<Integer> ownLoop = new ThreadLocal<>();

  private LibraryBurstServer() {
    for (int i = 0; i < Bed.LOOPS; i++) {
      int loop = i;
      loops.add(
          Executors.newSingleThreadExecutor(
              task ->
                  new FastThreadLocalThread(
                      () -> {
                        ownLoop.set(loop);
                        task.run();
                      },
                      "loop-" + loop)));
    }
  }

  /** Returns the port. */
  static int start() throws IOException {
    LibraryBurstServer served = new LibraryBurstServer();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
    server.setExecutor(
        task -> served.loops.get(served.nextLoop.getAndIncrement() % Bed.LOOPS).execute(task));
    server.createContext("/", served::handle);
    server.start();
    return server.getAddress().getPort();
  }

  private void handle(HttpExchange exchange) {
    requests.hold(
        exchange.getRequestURI().getPath(), ownLoop.get(), allocator, () -> respond(exchange));
  }

  private static void respond(HttpExchange exchange) {
    try {
      exchange.sendResponseHeaders(200, 1);
      exchange.getResponseBody().write('.');
      exchange.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
