/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.hosts;

import dev.cistern.testing.Program;
import dev.cistern.testing.Tool;
import dev.cistern.testing.Web;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.awaitility.Awaitility;

/**
 * A separate Redis server. Redis cannot choose a free port. If another process has taken the port
 * meanwhile, the test tries another port.
 */
final class RedisServer implements AutoCloseable {
  private static final int ATTEMPTS = 5;

  private final Program program;
  private final int port;

  private RedisServer(Program program, int port) {
    this.program = program;
    this.port = port;
  }

  /** Starts a server, or skips the test if Redis is not installed. */
  static RedisServer start() throws IOException {
    String command = Tool.path("redis-server", "redis-server");
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      RedisServer server = start(command, Web.freePort());
      Awaitility.await("Redis is ready or has ended")
          .atMost(HostProcess.LIMIT)
          .pollInterval(Duration.ofMillis(20))
          .until(() -> server.isReady() || !server.program.isAlive());
      if (server.isReady()) {
        return server;
      }
      server.close();
    }
    return Assertions.fail("no port for Redis in " + ATTEMPTS + " attempts");
  }

  private static RedisServer start(String command, int port) throws IOException {
    List<String> words =
        List.of(command, "--bind", "127.0.0.1", "--port", String.valueOf(port), "--save", "");
    return new RedisServer(Program.start("redis", words), port);
  }

  private boolean isReady() {
    return program.log().contains("Ready to accept connections");
  }

  String address() {
    return "redis://127.0.0.1:" + port;
  }

  @Override
  public void close() {
    program.close();
  }
}
