/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.dashboards;

import dev.cistern.demo.HttpConnection;
import java.io.IOException;
import java.util.concurrent.locks.LockSupport;

/** Requests of one kind at a steady rate, until they are closed or the application has ended. */
final class SteadyRequests implements AutoCloseable {
  private static final long MAX_FAILURES = 20;

  /** A request and the receipt of its response. */
  interface Request {
    void send(HttpConnection connection) throws IOException;
  }

  private final int port;
  private final Request request;
  private final long pauseNanos;
  private final Thread thread = new Thread(this::run, "steady-requests");

  /** Written by {@link #close}, read by the thread. */
  private volatile boolean closed;

  SteadyRequests(int port, Request request, double requestsPerSecond) {
    this.port = port;
    this.request = request;
    this.pauseNanos = (long) (1e9 / requestsPerSecond);
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    long due = System.nanoTime();
    for (int failures = 0; !closed && failures < MAX_FAILURES; failures++) {
      try (HttpConnection connection = HttpConnection.open("127.0.0.1", port)) {
        while (!closed) {
          request.send(connection);
          due += pauseNanos;
          LockSupport.parkNanos(due - System.nanoTime());
        }
      } catch (IOException e) {
        due += pauseNanos;
        LockSupport.parkNanos(pauseNanos);
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}
