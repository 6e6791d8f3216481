/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.hosts;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Frameworks that keep their own allocators, which the agent observes. */
class ObservedIT {
  static List<HostCommand> frameworks() {
    return List.of(Hosts.reactor("1.2"), Hosts.webflux(), Hosts.vertx("5"));
  }

  @ParameterizedTest
  @MethodSource("frameworks")
  void answerTheSameOnTheirOwnAllocators(HostCommand host) throws Exception {
    Comparison.observe(host, "io.netty");
  }

  @Test
  void grpcAnswersTheSameOnItsOwnAllocators() throws Exception {
    try (GrpcTalk client = GrpcTalk.start()) {
      Comparison.observe(Hosts.shadedGrpc(client), Hosts.SHADED);
    }
  }
}
