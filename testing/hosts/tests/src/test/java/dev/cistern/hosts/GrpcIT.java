/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.demo.Exposition;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** gRPC, which creates separate allocators. */
class GrpcIT {
  private static GrpcTalk client;

  @BeforeAll
  static void startClient() throws Exception {
    client = GrpcTalk.start();
  }

  @AfterAll
  static void endClient() throws Exception {
    client.close();
  }

  @Test
  void onNettyItself() throws Exception {
    Comparison.compare(Hosts.grpc(client), "io.netty");
  }

  @Test
  void onItsOwnCopyOfNetty() throws Exception {
    Comparison.compare(Hosts.shadedGrpc(client), Hosts.SHADED);
  }

  @Test
  void onItsAllocatorWithoutDirectArenas() throws Exception {
    Exposition scrape =
        Comparison.compare(Hosts.grpc(client).with("-Dio.netty.noPreferDirect=true"), "io.netty");
    assertThat(scrape.sum("cistern_allocations_total", "memory", "heap")).isGreaterThan(100);
    assertThat(scrape.sum("cistern_allocations_total", "memory", "direct"))
        .as("direct memory is left to Netty, but for the self-test")
        .isLessThan(20);
  }

  @Test
  void aClientWithTheAgentReceivesTheSame() throws Exception {
    try (HostProcess host = HostProcess.start(Hosts.grpc(client));
        GrpcTalk served = GrpcTalk.start("-javaagent:" + HostCommand.AGENT + "=listen=none")) {
      int port = host.ports().get(0);
      Map<String, byte[]> expected = client.talk(port);
      served.talk(port);
      Awaitility.await("the client is served")
          .atMost(HostProcess.LIMIT)
          .pollInterval(Duration.ofMillis(20))
          .until(() -> !served.errors().isEmpty());
      Comparison.assertSame(served.talk(port), expected);
      assertThat(served.errors()).singleElement().asString().contains("serves io.netty");
      assertThat(host.errors()).isEmpty();
    }
  }
}
