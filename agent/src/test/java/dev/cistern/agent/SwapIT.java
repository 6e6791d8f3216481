/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.agent.HostJvm.Result;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Served hosts: they get buffers of the pool, which behave like those of Netty. */
class SwapIT {
  private static final String POOL_BUFFER = "dev.cistern.netty.pool.CisternByteBuf";
  private static final String NOWHERE = "listen=none";

  static Stream<Arguments> homesAndLines() {
    return HostJvm.homes()
        .flatMap(home -> Stream.of("4.1", "4.2").map(line -> Arguments.of(home, line)));
  }

  private static void assertServed(Result bare, Result served) {
    assertThat(served.exit()).as("%s", served).isZero();
    assertThat(served.behaviour()).isEqualTo(bare.behaviour()).endsWith("done");
    // of six allocators: pooled twice, adaptive; 0 arenas: direct and heap, heap only; unpooled
    assertThat(served.classes().subList(0, 6)).containsOnly(POOL_BUFFER);
    assertThat(served.classes().subList(6, 8)).isEqualTo(bare.classes().subList(6, 8));
    assertThat(served.classes().get(8)).isEqualTo(bare.classes().get(8));
    assertThat(served.classes().get(9)).isEqualTo(POOL_BUFFER);
    assertThat(served.classes().subList(10, 12)).isEqualTo(bare.classes().subList(10, 12));
    assertThat(bare.classes()).allMatch(name -> name.startsWith("io.netty."));
  }

  @ParameterizedTest
  @MethodSource("homesAndLines")
  @Tag("smoke")
  void everyPooledAllocatorIsServedAndNothingBehavesOtherwise(String home, String line)
      throws Exception {
    Result bare = HostJvm.netty(line).jdk(home).run();
    Result served = HostJvm.netty(line).jdk(home).agent(NOWHERE).argument("swap").run();
    assertServed(bare, served);
    assertThat(served.agentLines())
        .singleElement()
        .asString()
        .matches(
            "cistern: serves io\\.netty 4\\.[12]\\.\\d+\\.Final \\(swap, memory by mmap_jdk\\), no endpoint");
    assertThat(served.err())
        .filteredOn(text -> text.contains("WARNING"))
        .filteredOn(text -> text.contains("cistern"))
        .as("the agent adds no warning of the JDK")
        .isEmpty();
  }

  @ParameterizedTest
  @MethodSource("homesAndLines")
  void everyPooledAllocatorIsServedAtTheParanoidLevel(String home, String line) throws Exception {
    String paranoid = "-Dio.netty.leakDetection.level=paranoid";
    Result bare = HostJvm.netty(line).jdk(home).option(paranoid).run();
    Result served =
        HostJvm.netty(line).jdk(home).option(paranoid).agent(NOWHERE).argument("swap").run();
    assertServed(bare, served);
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  void instrumentedClassesPassTheVerifier(String line) throws Exception {
    Result bare = HostJvm.netty(line).run();
    Result served =
        HostJvm.netty(line)
            .option("-XX:+UnlockDiagnosticVMOptions", "-XX:+BytecodeVerificationLocal")
            .agent(NOWHERE)
            .argument("swap")
            .run();
    assertServed(bare, served);
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  void theMemoryOfThePoolCountsInTheAccountsOfNetty(String line) throws Exception {
    String[] counting = {
      "--add-opens=java.base/java.nio=ALL-UNNAMED", "-Dio.netty.tryReflectionSetAccessible=true",
    };
    Result served = HostJvm.netty(line).option(counting).agent(NOWHERE).argument("swap").run();
    assertThat(served.usedDirectMemory()).as("%s", served).isGreaterThanOrEqualTo(20 << 20);
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  void nettyWithoutUnsafeIsServedAsItIs(String line) throws Exception {
    String noUnsafe = "-Dio.netty.noUnsafe=true";
    Result bare = HostJvm.netty(line).option(noUnsafe).run();
    Result served = HostJvm.netty(line).option(noUnsafe).agent(NOWHERE).argument("swap").run();
    assertServed(bare, served);
  }

  @ParameterizedTest
  @MethodSource("dev.cistern.agent.HostJvm#homes")
  void nettyAsNamedModulesIsServed(String home) throws Exception {
    Result bare = HostJvm.netty("4.2").jdk(home).nettyAsModules().run();
    Result served =
        HostJvm.netty("4.2").jdk(home).nettyAsModules().agent(NOWHERE).argument("swap").run();
    assertServed(bare, served);
  }
}
