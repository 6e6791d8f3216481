/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.hosts;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** Somebody who asks a host always the same. */
interface Client {
  /** One small request. */
  interface Touch {
    void run() throws Exception;
  }

  /** Asks for little. */
  void touch(int port) throws Exception;

  /** Asks for everything that the host has, and returns each answer, byte for byte, by a name. */
  Map<String, byte[]> talk(int port) throws Exception;

  /** Opens a connection that stays open; empty if the port is not one of Netty's. */
  default Optional<OpenConnection> open(int port) throws IOException {
    return Optional.empty();
  }
}
