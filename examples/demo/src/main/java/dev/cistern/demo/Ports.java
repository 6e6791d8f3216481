/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Loopback ports. */
public final class Ports {
  private Ports() {}

  /** A port that nobody listens on right now. */
  public static int free() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /**
   * Returns {@code port}, or a free one for 0.
   *
   * @throws IOException when somebody listens on it; names {@code option}
   */
  static int check(int port, String option) throws IOException {
    if (port == 0) {
      return free();
    }
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new IOException(
          "port " + port + " cannot be used (" + e.getMessage() + "); choose another: " + option,
          e);
    }
  }
}
