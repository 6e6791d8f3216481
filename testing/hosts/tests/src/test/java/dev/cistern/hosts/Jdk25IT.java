/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.hosts;

import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs applications on a JDK 25, if {@code -Djdk25.home} names one. */
class Jdk25IT {
  @TempDir private static Path folder;
  private static Path home;
  private static TlsKey key;

  @BeforeAll
  static void findJdk() throws Exception {
    String value = System.getProperty("jdk25.home", "");
    Assumptions.assumeFalse(value.isEmpty(), "no JDK 25: name one by -Djdk25.home");
    home = Path.of(value);
    key = TlsKey.make(folder);
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1.135", "4.2.18"})
  void nettyAloneByNioAndTheEngineOfTheJdk(String version) throws Exception {
    Comparison.compare(Hosts.plain(version, "nio", "JDK", key).on(home), "io.netty");
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1.135", "4.2.18"})
  void nettyAloneByEpollAndOpenSsl(String version) throws Exception {
    Comparison.compare(Hosts.plain(version, "epoll", "OPENSSL", key).on(home), "io.netty");
  }

  @ParameterizedTest
  @MethodSource("dev.cistern.hosts.FrameworksIT#frameworks")
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
