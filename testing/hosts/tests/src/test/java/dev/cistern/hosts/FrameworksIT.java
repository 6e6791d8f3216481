/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.hosts;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Frameworks that use Netty, and the ways to load Netty. */
class FrameworksIT {
  static List<HostCommand> frameworks() {
    return List.of(
        Hosts.reactor("1.2"),
        Hosts.reactor("1.3"),
        Hosts.webflux(),
        Hosts.vertx("4"),
        Hosts.vertx("5"),
        Hosts.onTheModulePath());
  }

  @ParameterizedTest
  @MethodSource("frameworks")
  void answerTheSameWithTheAgent(HostCommand host) throws Exception {
    Comparison.compare(host, "io.netty");
  }

  @Test
  void threeCopiesInOneJvmAnswerTheSame() throws Exception {
    try (GrpcTalk client = GrpcTalk.start()) {
      Comparison.compare(Hosts.many(client), "io.netty", "io.netty#2", Hosts.SHADED);
    }
  }
}
