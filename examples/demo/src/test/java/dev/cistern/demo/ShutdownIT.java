/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks that the application ends on request, under load, with and without the agent. */
class ShutdownIT {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int SIGTERM_STATUS = 143;

  @ParameterizedTest
  @MethodSource("dev.cistern.demo.Demo#hosts")
  void sigtermEndsItBare(Demo.Host host) throws Exception {
    try (ServerProcess server = Demo.start(host.bare())) {
      assertEndsUnderLoad(server);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.cistern.demo.Demo#hosts")
  void sigtermEndsItWithTheAgent(Demo.Host host) throws Exception {
    try (ServerProcess server = Demo.startServed(host)) {
      assertEndsUnderLoad(server);
      assertThat(server.errors()).allMatch(line -> line.matches("cistern: .*|WARNING: .*"));
    }
  }

  private static void assertEndsUnderLoad(ServerProcess server) throws Exception {
    try (LoadDriver load =
        LoadDriver.start(server.port(), server.tlsPort(), Demo.plan(4, Long.MAX_VALUE))) {
      server.handle().destroy();
      int status = server.ended().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
      assertThat(status).isEqualTo(SIGTERM_STATUS);
      assertThat(load.await().failures()).as("connections were cut").isPositive();
    }
  }
}
