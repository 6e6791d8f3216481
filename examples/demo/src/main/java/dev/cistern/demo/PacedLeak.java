/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.demo;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;

/**
 * Makes the application leak slowly, because a thread that allocates much in a short time is
 * sampled less. Real leaks are slow as well.
 */
final class PacedLeak {
  /** The bytes that each request leaks. */
  static final int BYTES_PER_REQUEST = 32 * 16_384;

  private static final String TARGET = "/leak?count=32&size=16384";
  private static final long PAUSE_NANOS = 50_000_000;

  private PacedLeak() {}

  /**
   * Leaks {@code requests} times {@link #BYTES_PER_REQUEST}, then triggers a garbage collection, so
   * that the leaks can be found.
   *
   * @throws IOException if the application does not respond
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
