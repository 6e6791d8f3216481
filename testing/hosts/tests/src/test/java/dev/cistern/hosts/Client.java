/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.hosts;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** A client that sends the same requests to every host. */
interface Client {
  /** One small request. */
  interface Touch {
    void run() throws Exception;
  }

  /** Sends a small request. */
  void touch(int port) throws Exception;

  /**
   * Requests everything that the host offers, and returns each response, byte for byte, by a name.
   */
  Map<String, byte[]> talk(int port) throws Exception;

  /** Opens a connection that stays open; empty if Netty does not serve the port. */
  default Optional<OpenConnection> open(int port) throws IOException {
    return Optional.empty();
  }
}
