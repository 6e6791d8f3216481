/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Many simultaneous connections that keep a server waiting, each in one of four ways. If the server
 * ends a connection, the client opens it again.
 */
final class SlowClients {
  private static final int THREADS = 20;
  private static final int PIPELINED = 300;
  private static final byte[] HELLO = {0x16, 3, 1, 2, 0, 1, 0, 1, (byte) 0xfc, 3, 3, 7, 7, 7};

  private final RawHttp client;
  private final int port;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicInteger opened = new AtomicInteger();
  private volatile boolean closed;

  /** Ways to be slow. */
  private enum Way {
    SILENT,
    REQUEST_LINE,
    HEADERS,
    RESPONSE
  }

  SlowClients(RawHttp client, int port, int connections) {
    this.client = client;
    this.port = port;
    for (int i = 0; i < THREADS; i++) {
      int number = i;
      Thread thread = new Thread(() -> run(number, connections / THREADS), "slow-" + i);
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
  }

  /** Returns the number of connections so far. */
  int opened() {
    return opened.get();
  }

  private void run(int number, int connections) {
    Socket[] sockets = new Socket[connections];
    while (!closed) {
      for (int i = 0; i < connections && !closed; i++) {
        sockets[i] = goOn(sockets[i], Way.values()[(number + i) % Way.values().length], i);
      }
      try {
        TimeUnit.MILLISECONDS.sleep(50);
      } catch (InterruptedException e) {
        break;
      }
    }
    for (Socket socket : sockets) {
      close(socket);
    }
  }

  private Socket goOn(Socket socket, Way way, int place) {
    try {
      if (socket == null) {
        return open(way, place);
      }
      if (way == Way.REQUEST_LINE || way == Way.HEADERS) {
        socket.getOutputStream().write('a');
        socket.getOutputStream().flush();
      }
      return socket;
    } catch (IOException e) {
      close(socket);
      return null;
    }
  }

  private Socket open(Way way, int place) throws IOException {
    opened.incrementAndGet();
    if (place % 2 == 0 && (way == Way.REQUEST_LINE || way == Way.SILENT)) {
      // With TLS, a handshake that stalls; otherwise a request line without an end.
      Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.getOutputStream().write(way == Way.SILENT ? new byte[0] : HELLO);
      return socket;
    }
    Socket socket = client.connect();
    socket.setSoTimeout(2_000);
    String request =
        switch (way) {
          case SILENT -> "";
          case REQUEST_LINE -> "GET /met";
          case HEADERS -> "GET /metrics HTTP/1.1\r\nHost: localhost\r\nX-Slow: ";
          case RESPONSE -> "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(PIPELINED);
        };
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().flush();
    return socket;
  }

  private static void close(Socket socket) {
    try {
      if (socket != null) {
        socket.close();
      }
    } catch (IOException e) {
      // The connection is closed already.
    }
  }

  /** Ends all connections. */
  void stop() throws InterruptedException {
    closed = true;
    for (Thread thread : threads) {
      thread.join(TimeUnit.SECONDS.toMillis(20));
    }
  }
}
