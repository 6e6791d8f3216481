/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.agent.weave.NettyJars;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;

/** A fault at each step of a transition, while the host is under load, does not affect the host. */
class FaultsIT {
  @TempDir private Path folder;

  private static HostJvm steady(String line, String... settings) {
    List<String> all = new ArrayList<>(List.of(settings));
    all.add(AgentEndpoint.LISTEN);
    return HostJvm.netty(line).main("example.host.Steady").agent(String.join(",", all));
  }

  private static long operations(RunningHost host) throws IOException {
    return Long.parseLong(host.order("count").split(" ", -1)[0]);
  }

  private static void assertLoadContinues(RunningHost host) throws Exception {
    long before = operations(host);
    await().atMost(Duration.ofSeconds(30)).until(() -> operations(host) > before + 1_000);
  }

  /** Checks that the load continues without an error. */
  private static void assertUnharmed(RunningHost host) throws Exception {
    assertLoadContinues(host);
    assertThat(host.order("classes")).doesNotContain("dev.cistern");
    assertThat(host.order("stop")).isEqualTo("0");
    assertThat(host.exit()).isZero();
  }

  private static List<String> agentLines(RunningHost host) throws IOException {
    return host.errors().stream().filter(line -> line.startsWith("cistern: ")).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "4.1,CHECK,off,injected fault at CHECK",
    "4.1,DEFINE_HOOKS,off,injected fault at DEFINE_HOOKS",
    "4.2,DEFINE_HOOKS,off,injected fault at DEFINE_HOOKS",
    "4.2,OPEN_BRIDGE,off,injected fault at OPEN_BRIDGE",
    "4.1,SET_MODE,off,injected fault at SET_MODE",
    "4.1,selfTest,observe,self-test: java.lang.AssertionError: injected fault",
    "4.2,selfTest,observe,self-test: java.lang.AssertionError: injected fault",
    "4.1,INSTRUMENT,off,injected fault at INSTRUMENT",
  })
  void theCopyFallsBackAndTheReasonIsLoggedOnce(
      String line, String fault, String mode, String reason) throws Exception {
    try (RunningHost host = steady(line).option("-Dcistern.test.fault=" + fault).start()) {
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> agentLines(host).stream().anyMatch(text -> text.contains("leaves")));
      AgentEndpoint endpoint = AgentEndpoint.byJmx(host);
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> endpoint.metrics().contains("mode=\"" + mode + "\""));
      assertThat(agentLines(host))
          .filteredOn(text -> text.contains(reason))
          .as("%s", host.errors())
          .hasSize(1);
      assertThat(endpoint.sum("cistern_agent_failures_total")).isPositive();
      assertThat(endpoint.sum("cistern_bridge_failures_total")).isZero();
      assertThat(endpoint.sum("cistern_fallback_allocations_total")).isZero();
      assertUnharmed(host);
    }
  }

  /**
   * Such a fault may be temporary, for example if another agent's code in a class of Cistern
   * throws.
   */
  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  void faultsOfAllocationsPauseTheServiceAndItBeginsAgain(String line) throws Exception {
    try (RunningHost host = steady(line).option("-Dcistern.test.fault=engine").start()) {
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> host.inventory().contains("served by Netty for 10 s after faults"));
      AgentEndpoint endpoint = AgentEndpoint.of(host);
      double faults = endpoint.sum("cistern_bridge_failures_total");
      assertThat(faults).isBetween(10.0, 30.0); // each thread may have had a fault at that moment
      assertThat(endpoint.sum("cistern_agent_failures_total")).isZero();
      assertThat(endpoint.sum("cistern_fallback_allocations_total")).isZero();
      assertLoadContinues(host);
      host.order("property cistern.test.fault");
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () ->
                  host.order("classes").contains("dev.cistern.")
                      && host.inventory().contains(": swap, "));
      assertThat(host.inventory()).contains(": swap, ").doesNotContain("after faults");
      assertThat(endpoint.sum("cistern_bridge_failures_total")).isEqualTo(faults);
      assertThat(agentLines(host))
          .filteredOn(text -> text.contains("injected fault"))
          .as("%s", host.errors())
          .hasSize(1);
      assertThat(host.errors()).as("the stack").anyMatch(text -> text.contains("injectFault("));
      assertThat(host.order("stop")).isEqualTo("0");
      assertThat(host.exit()).isZero();
    }
  }

  @Test
  void aPauseThatEndsWithFailingSelfTestsLeavesTheCopyToNetty() throws Exception {
    try (RunningHost host = steady("4.1").option("-Dcistern.test.fault=engine").start()) {
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> host.inventory().contains("served by Netty for 10 s after faults"));
      host.order("property cistern.test.fault selfTest");
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> agentLines(host).stream().anyMatch(text -> text.contains("self-test: ")));
      assertThat(agentLines(host))
          .filteredOn(text -> text.contains("self-test: "))
          .as("%s", host.errors())
          .hasSize(1);
      assertThat(host.errors()).as("the stack").anyMatch(text -> text.contains("SelfTest.run("));
      assertThat(AgentEndpoint.of(host).sum("cistern_agent_failures_total")).isEqualTo(3);
      assertThat(host.inventory()).contains(": observe, ");
      assertUnharmed(host);
    }
  }

  @Test
  void aHostThatIsShortOfMemoryIsServedWhenThatIsOver() throws Exception {
    try (RunningHost host = steady("4.2").option("-Dcistern.test.fault=shortOfMemory").start()) {
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> host.inventory().contains("short of memory"));
      host.order("property cistern.test.fault");
      await().atMost(Duration.ofSeconds(30)).until(() -> host.inventory().contains(": swap, "));
      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(
              () -> assertThat(agentLines(host)).singleElement().asString().contains("serves"));
      assertThat(host.order("stop")).isEqualTo("0");
    }
  }

  @Test
  void aCopyThatHasFailedIsRetriedOnlyOnRequest() throws Exception {
    try (RunningHost host = steady("4.1").option("-Dcistern.test.fault=INSTRUMENT").start()) {
      await().atMost(Duration.ofSeconds(30)).until(() -> host.inventory().contains(": off, "));
      host.order("property cistern.test.fault");
      assertThat(host.mode("swap", 100, "io.grpc.*")).contains(": off, ", "no copy matches");
      assertThat(host.mode("swap", 100, "io.netty")).contains(": swap, ");
      assertThat(host.order("classes")).contains("dev.cistern").doesNotContain("io.netty");
      assertThat(host.order("stop")).isEqualTo("0");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  void aLackOfMemoryIsCountedAndIfItLastsTheCopyIsObservedTemporarily(String line)
      throws Exception {
    try (RunningHost host = steady(line).option("-Dcistern.test.fault=memory").start()) {
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> agentLines(host).stream().anyMatch(text -> text.contains("serves")));
      AgentEndpoint endpoint = AgentEndpoint.of(host);
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> endpoint.sum("cistern_fallback_allocations_total") > 1_000);
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> host.inventory().contains("allocations in 5 s found no memory"));
      assertThat(host.inventory()).contains(": observe, ");
      assertThat(endpoint.metrics())
          .contains("mode=\"observe\",pool=\"io.netty\",source=\"back_off\"");
      assertThat(endpoint.sum("cistern_bridge_failures_total")).isZero();
      assertThat(endpoint.sum("cistern_agent_failures_total")).isZero();
      host.order("property cistern.test.fault");
      await().atMost(Duration.ofSeconds(60)).until(() -> host.inventory().contains(": swap, "));
      assertThat(agentLines(host)).filteredOn(text -> text.contains("leaves")).hasSize(1);
      assertLoadContinues(host);
      assertThat(host.order("stop")).isEqualTo("0");
      assertThat(host.exit()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  void theAgentsThreadSurvivesFailingTicksAndLogsAFewOfThem(String line) throws Exception {
    int logged = 5;
    try (RunningHost host =
        steady(line, "decayMillis=500").option("-Dcistern.test.fault=tick").start()) {
      await().atMost(Duration.ofSeconds(30)).until(() -> failedRounds(host).size() == logged);
      // JMX is registered after the failing tick of a round: so at least a sixth round has failed,
      // was not logged, and still did its remaining work
      assertThat(host.mode("observe", 100, "*")).contains(": observe, ");
      assertThat(host.mode("swap", 100, "*")).contains(": swap, ");
      assertThat(host.order("classes")).contains("dev.cistern").doesNotContain("io.netty");
      assertLoadContinues(host);
      assertThat(host.mode("off", 100, "*")).contains(": off, ");
      assertThat(host.order("classes")).doesNotContain("dev.cistern");
      host.order("property cistern.test.fault");
      assertThat(host.order("stop")).as("errors of the host").isEqualTo("0");
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> host.inventory().contains("; nothing of the agent is left in its classes"));
      assertThat(failedRounds(host)).as("%s", host.errors()).hasSize(logged);
      assertThat(host.exit()).isZero();
    }
  }

  private static List<String> failedRounds(RunningHost host) throws IOException {
    return agentLines(host).stream()
        .filter(line -> line.endsWith("will retry: java.lang.AssertionError: injected fault"))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  void aCopyOfUnknownStructureIsLeftAlone(String line) throws Exception {
    Path other = withOtherFields(line);
    try (RunningHost host = steady(line).first(other).start()) {
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> agentLines(host).stream().anyMatch(text -> text.contains("leaves")));
      assertThat(agentLines(host)).singleElement().asString().contains("has no directArenas");
      AgentEndpoint endpoint = AgentEndpoint.byJmx(host);
      assertThat(endpoint.metrics()).contains("pool=\"io.netty\"").doesNotContain("mode=\"swap\"");
      assertThat(endpoint.sum("cistern_agent_failures_total")).isPositive();
      assertThat(endpoint.sum("cistern_bridge_failures_total")).isZero();
      assertUnharmed(host);
    }
  }

  /**
   * Returns a copy of Netty's buffer package with another name for the allocator's direct arenas.
   */
  private Path withOtherFields(String line) throws IOException {
    Remapper other =
        new Remapper(Opcodes.ASM9) {
          @Override
          public String mapFieldName(String owner, String name, String descriptor) {
            return name.equals("directArenas") ? "arenasOfDirectMemory" : name;
          }
        };
    for (Map.Entry<String, byte[]> entry : NettyJars.classFiles(line).entrySet()) {
      if (entry.getKey().startsWith("io/netty/buffer/Pool")) {
        ClassWriter writer = new ClassWriter(0);
        new ClassReader(entry.getValue()).accept(new ClassRemapper(writer, other), 0);
        Path file = folder.resolve(entry.getKey() + ".class");
        Files.createDirectories(file.getParent());
        Files.write(file, writer.toByteArray());
      }
    }
    return folder;
  }
}
