/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.hosts;

import dev.cistern.testing.Tool;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.assertj.core.api.Assertions;
import org.awaitility.Awaitility;

/**
 * A separate Redis server. Redis cannot choose a free port. If another process has taken the port
 * meanwhile, the test tries another port.
 */
final class RedisServer implements AutoCloseable {
  private static final int ATTEMPTS = 5;

  private final Process process;
  private final Path output;
  private final int port;

  private RedisServer(Process process, Path output, int port) {
    this.process = process;
    this.output = output;
    this.port = port;
  }

  /** Starts a server, or skips the test if Redis is not installed. */
  static RedisServer start() throws IOException {
    String program = Tool.path("redis-server", "redis-server");
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      RedisServer server = start(program, freePort());
      Awaitility.await("Redis is ready or has ended")
          .atMost(HostProcess.LIMIT)
          .pollInterval(Duration.ofMillis(20))
          .until(() -> server.isReady() || !server.process.isAlive());
      if (server.isReady()) {
        return server;
      }
      server.close();
    }
    return Assertions.fail("no port for Redis in " + ATTEMPTS + " attempts");
  }

  private static RedisServer start(String program, int port) throws IOException {
    Path output = Files.createTempFile("redis", ".out");
    ProcessBuilder builder =
        new ProcessBuilder(
            program, "--bind", "127.0.0.1", "--port", String.valueOf(port), "--save", "");
    Process process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
    return new RedisServer(process, output, port);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private boolean isReady() throws IOException {
    return Files.readString(output).contains("Ready to accept connections");
  }

  String address() {
    return "redis://127.0.0.1:" + port;
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Files.delete(output);
  }
}
