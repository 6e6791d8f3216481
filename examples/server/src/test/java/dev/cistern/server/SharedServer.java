/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.server;

import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Tests that share a server, in which nothing may be left at the end. */
abstract class SharedServer {
  static ServerRun server;

  @BeforeAll
  static void start() throws IOException {
    server = ServerRun.example();
  }

  @AfterAll
  static void nothingIsLeft() throws Exception {
    try (ServerRun ending = server) {
      ending.awaitIdle();
      ending.endClean();
    }
  }
}
