/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.demo;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;

/**
 * Makes the application leak, a little at a time: a thread that allocates much in a moment is
 * sampled less, and real leaks are slow as well.
 */
final class PacedLeak {
  /** What each request leaks. */
  static final int BYTES_PER_REQUEST = 32 * 16_384;

  private static final String TARGET = "/leak?count=32&size=16384";
  private static final long PAUSE_NANOS = 50_000_000;

  private PacedLeak() {}

  /**
   * Leaks {@code requests} times {@link #BYTES_PER_REQUEST}, then has the garbage collected, so
   * that the leaks can be found.
   *
   * @throws IOException when the application does not answer
   */
  static void run(int port, int requests) throws IOException {
    try (HttpConnection connection = HttpConnection.open("127.0.0.1", port)) {
      for (int i = 0; i < requests; i++) {
        expectOk(connection.get(TARGET));
        LockSupport.parkNanos(PAUSE_NANOS);
      }
      expectOk(connection.get("/gc"));
    }
  }

  private static void expectOk(HttpReply reply) throws IOException {
    if (reply.status() != 200) {
      throw new IOException("the application answered " + reply.status() + ": " + reply.text());
    }
  }
}
