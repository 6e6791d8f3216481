/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.testing.Tool;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Allocators of other libraries that look like those of Netty, or that the agent cannot serve. */
class OtherLibrariesIT {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static RunningHost start(String line, String library, String settings, String... options)
      throws Exception {
    Path ownLibrary =
        Path.of(ByteBuf.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    return HostJvm.netty(line)
        .first(ownLibrary)
        .main("example.host.OtherLibraries")
        .argument(library)
        .agent(AgentEndpoint.LISTEN + settings)
        .option(options)
        .start();
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  void theLibraryBesideTheAgentIsNoCopyOfNettyAndNoFailure(String line) throws Exception {
    try (RunningHost host = start(line, "library", ",statsDirectory=none")) {
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

  private static String why(RunningHost host) throws Exception {
    String pid = String.valueOf(host.pid());
    Tool.Outcome outcome =
        Tool.run(
            new ProcessBuilder(Tool.jdk("java"), "-jar", HostJvm.AGENT.toString(), "why", pid), 60);
    assertThat(outcome.status()).as("%s", outcome).isZero();
    return outcome.printed();
  }

  @ParameterizedTest
  @CsvSource({"4.1,swap,served", "4.2,swap,served", "4.1,observe,observed", "4.2,observe,observed"})
  void everyAllocatorIsListedAndOneThatTakesFromNettysArenasItselfIsObserved(
      String line, String mode, String service, @TempDir Path folder) throws Exception {
    String how = "takes memory from Netty's arenas by its own ownBuffer";
    String settings = ",statsDirectory=" + folder + ",mode=" + mode;
    try (RunningHost host =
        start(line, "arenas", settings, "-Dio.netty.leakDetection.level=paranoid")) {
      AgentEndpoint endpoint = AgentEndpoint.of(host);
      await()
          .atMost(PATIENCE)
          .until(
              () -> {
                host.order("hold");
                return endpoint.sum("cistern_live_bytes", "OwnArenas.hold") > 0;
              });
      host.order("drop");
      await()
          .atMost(PATIENCE)
          .until(() -> endpoint.sum("cistern_live_bytes", "OwnArenas.hold") == 0);
      host.order("make");
      assertThat(endpoint.sum("cistern_leaks_total")).isZero();
      assertThat(endpoint.sum("cistern_agent_failures_total")).isZero();
      assertThat(host.errors()).hasSize(2).last().asString().contains(how, "observed, not served");
      await("static instances, which get their names once a second")
          .atMost(PATIENCE)
          .until(() -> endpoint.metrics().contains("\"UnpooledByteBufAllocator.DEFAULT\""));
      String metrics = endpoint.metrics();
      assertThat(metrics)
          .containsPattern(info("PooledByteBufAllocator[.]DEFAULT", "Netty", service))
          .containsPattern(info("UnpooledByteBufAllocator[.]DEFAULT", "Netty", "bypassed"))
          .containsPattern(
              info(
                  "PooledByteBufAllocator-[0-9]+",
                  "example.host.OtherLibraries.make:[0-9]+",
                  service))
          .containsPattern(info("OwnArenaAllocator-[0-9]+", "unknown", "observed"));
      assertThat(host.inventory())
          .contains("PooledByteBufAllocator.DEFAULT (" + service + ")")
          .contains("UnpooledByteBufAllocator.DEFAULT (bypassed)")
          .containsPattern("OwnArenaAllocator-[0-9]+ [(]observed[)]");
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(why(host)).contains("OtherLibraries.make:"));
      assertThat(why(host))
          .containsPattern(
              "PooledByteBufAllocator[.]DEFAULT: " + service + " for .* by Netty, class")
          .containsPattern(
              "PooledByteBufAllocator-[0-9]+: "
                  + service
                  + " for .* created by example.host.OtherLibraries.make:[0-9]+, class"
                  + " io.netty.buffer.PooledByteBufAllocator")
          .containsPattern("UnpooledByteBufAllocator[.]DEFAULT: bypassed for .*, only pooled")
          .containsPattern("OwnArenaAllocator-[0-9]+: observed for .*, " + how);
    }
  }

  private static String info(String allocator, String creator, String service) {
    return "cistern_allocator_info[{]allocator=\""
        + allocator
        + "\",application=\"[^\"]*\",class=\"io.netty.buffer.[^\"]*\",created_by=\""
        + creator
        + "\",pool=\"io.netty\",service=\""
        + service
        + "\"[}] 1";
  }
}
