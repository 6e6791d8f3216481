/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.hosts;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What applications run on a JDK 25, where {@code -Djdk25.home} names one. */
class Jdk25IT {
  private static Path home;

  @BeforeAll
  static void findJdk() {
    String value = System.getProperty("jdk25.home", "");
    Assumptions.assumeFalse(value.isEmpty(), "no JDK 25: name one by -Djdk25.home");
    home = Path.of(value);
  }

  static Stream<HostCommand> hosts() {
    return Stream.of(
        Hosts.reactor("1.3"), Hosts.webflux(), Hosts.vertx("5"), Hosts.onTheModulePath());
  }

  @ParameterizedTest
  @MethodSource("hosts")
  void frameworksAnswerTheSameWithTheAgent(HostCommand host) throws Exception {
    Comparison.compare(host.on(home), "io.netty");
  }

  @Test
  void grpcAnswersTheSame() throws Exception {
    try (GrpcTalk client = GrpcTalk.start()) {
      Comparison.compare(Hosts.grpc(client).on(home), "io.netty");
      Comparison.compare(Hosts.shadedGrpc(client).on(home), Hosts.SHADED);
    }
  }

  @Test
  void threeCopiesInOneJvmAnswerTheSame() throws Exception {
    try (GrpcTalk client = GrpcTalk.start()) {
      Comparison.compare(Hosts.many(client).on(home), "io.netty", "io.netty#2", Hosts.SHADED);
    }
  }
}
