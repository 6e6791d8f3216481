/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.buffer.ByteBuf;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What looks like an allocator of Netty, or is one that the agent cannot serve. */
class OtherLibrariesIT {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static RunningHost start(String line, String library, String settings) throws Exception {
    Path ownLibrary =
        Path.of(ByteBuf.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    return HostJvm.netty(line)
        .first(ownLibrary)
        .main("example.host.OtherLibraries")
        .argument(library)
        .agent(AgentEndpoint.LISTEN + ",dir=none" + settings)
        .start();
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  void theLibraryBesideTheAgentIsNoCopyOfNettyAndNoFailure(String line) throws Exception {
    try (RunningHost host = start(line, "library", "")) {
      AgentEndpoint endpoint = AgentEndpoint.of(host);
      await()
          .atMost(PATIENCE)
          .until(
              () -> {
                host.order("buffer");
                return endpoint.sum("cistern_served_allocations_total") > 0;
              });
      assertThat(host.errors())
          .singleElement()
          .asString()
          .contains("serves io.netty ")
          .doesNotContain("keeps its arenas elsewhere");
      assertThat(endpoint.sum("cistern_agent_failures_total")).isZero();
      assertThat(host.inventory().lines()).singleElement().asString().startsWith("io.netty ");
    }
  }

  @ParameterizedTest
  @CsvSource({"4.1,swap", "4.2,swap", "4.1,observe", "4.2,observe"})
  void anAllocatorThatTakesFromNettysArenasItselfIsNamed(String line, String mode)
      throws Exception {
    String expected =
        "io.netty.buffer.OwnArenaAllocator takes memory from Netty's arenas by its own ownBuffer:"
            + " these buffers are neither served nor observed";
    try (RunningHost host = start(line, "arenas", ",mode=" + mode)) {
      AgentEndpoint endpoint = AgentEndpoint.of(host);
      await().atMost(PATIENCE).until(() -> endpoint.sum("cistern_netty_bypassing_allocators") == 1);
      assertThat(host.errors()).hasSize(2);
      assertThat(host.errors().get(1)).startsWith("cistern: io.netty ").endsWith(expected);
      assertThat(host.inventory()).contains(": " + mode, "; " + expected);
      assertThat(endpoint.sum("cistern_agent_failures_total")).isZero();
    }
  }
}
