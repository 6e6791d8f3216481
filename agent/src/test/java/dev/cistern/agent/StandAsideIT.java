/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.agent.HostJvm.Result;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bad input and faults: the host runs as ever, and one line says why. */
class StandAsideIT {
  private static Result bare;
  @TempDir private Path folder;

  @BeforeAll
  static void runBare() throws Exception {
    bare = HostJvm.netty("4.1").run();
  }

  private static void assertUntouched(Result result) {
    assertThat(result.exit()).as("%s", result).isZero();
    assertThat(result.behaviour()).isEqualTo(bare.behaviour()).endsWith("done");
    assertThat(result.classes()).isEqualTo(bare.classes());
  }

  @ParameterizedTest
  @ValueSource(strings = {"mood=swap", "mode=sideways", "swap", "listen=here", "chunkBytes=12345"})
  void aBadArgumentLeavesTheHostOnItsOwnAllocator(String argument) throws Exception {
    Result result = HostJvm.netty("4.1").agent(argument).argument("wait=500").run();
    assertUntouched(result);
    assertThat(result.agentLines())
        .singleElement()
        .asString()
        .contains("'" + argument.replaceFirst("=.*", "") + "'")
        .endsWith("the agent stands aside, the application runs on its own allocator");
  }

  @ParameterizedTest
  @ValueSource(strings = {"mode: [", "mode: on", "unknown: 1"})
  void aBadFileDoesToo(String yaml) throws Exception {
    Path file = Files.writeString(folder.resolve("cistern.yaml"), yaml);
    Result result = HostJvm.netty("4.1").agent("config=" + file).argument("wait=500").run();
    assertUntouched(result);
    assertThat(result.agentLines()).singleElement().asString().contains(file.toString());
  }

  @Test
  void aFileThatIsNotThereDoesToo() throws Exception {
    Result result = HostJvm.netty("4.1").agent("config=/no/such.yaml").argument("wait=500").run();
    assertUntouched(result);
    assertThat(result.agentLines())
        .singleElement()
        .asString()
        .contains("'config' = '/no/such.yaml' is malformed; allowed: a readable file");
  }

  @Test
  void aGoodFileIsFollowed() throws Exception {
    Path file = Files.writeString(folder.resolve("c.yaml"), "listen: none\nchunkBytes: 1m\n");
    Result result = HostJvm.netty("4.1").agent("config=" + file).argument("swap").run();
    assertThat(result.agentLines()).singleElement().asString().contains("no endpoint");
    assertThat(result.classes().get(0)).startsWith("dev.cistern.");
  }

  @Test
  void offAndObserveTouchNothing() throws Exception {
    Result off = HostJvm.netty("4.1").agent("mode=off").argument("wait=500").run();
    assertUntouched(off);
    assertThat(off.agentLines()).isEmpty();
    Result observe =
        HostJvm.netty("4.1").agent("mode=observe,listen=none").argument("wait=500").run();
    assertUntouched(observe);
    assertThat(observe.agentLines()).isEmpty();
  }

  @Test
  void aPortThatIsTakenCostsOnlyTheEndpoint() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String listen = "127.0.0.1:" + taken.getLocalPort();
      Result result = HostJvm.netty("4.1").agent("listen=" + listen).argument("swap").run();
      assertThat(result.exit()).isZero();
      assertThat(result.behaviour()).isEqualTo(bare.behaviour());
      assertThat(result.classes().get(0)).startsWith("dev.cistern.");
      assertThat(result.agentLines()).hasSize(2);
      assertThat(result.agentLines().get(0)).contains("listen = '" + listen + "': Address already");
      assertThat(result.agentLines().get(1)).contains("serves").endsWith("no endpoint");
    }
  }

  @Test
  void aRuntimeWithoutTheHttpServerCostsOnlyTheEndpoint() throws Exception {
    Result result =
        HostJvm.netty("4.1")
            .option(
                "--limit-modules", "java.instrument,java.logging,java.management,jdk.unsupported")
            .agent("")
            .argument("swap")
            .run();
    assertThat(result.exit()).as("%s", result).isZero();
    assertThat(result.behaviour()).isEqualTo(bare.behaviour());
    assertThat(result.classes().get(0)).startsWith("dev.cistern.");
    assertThat(result.agentLines().get(0)).contains("listen").contains("no module jdk.httpserver");
  }

  @ParameterizedTest
  @CsvSource({"define,injected fault", "selfTest,self-test: injected fault"})
  void aFaultBeforeGoingLiveLeavesTheHostOnItsOwnAllocator(String fault, String reason)
      throws Exception {
    Result result =
        HostJvm.netty("4.1")
            .agent("listen=none")
            .option("-Dcistern.test.fault=" + fault)
            .argument("wait=1500")
            .run();
    assertUntouched(result);
    assertThat(result.agentLines())
        .singleElement()
        .asString()
        .matches("cistern: leaves io.netty 4.1.* on its own allocator: " + reason);
  }

  @Test
  void anEngineThatThrowsIsGivenUpAndTheReasonSaidOnce() throws Exception {
    Result result =
        HostJvm.netty("4.1")
            .agent("listen=none")
            .option("-Dcistern.test.fault=engine")
            .argument("wait=3000")
            .run();
    assertUntouched(result);
    assertThat(result.agentLines())
        .filteredOn(line -> line.contains("leaves"))
        .singleElement()
        .asString()
        .contains("injected fault");
  }

  @Test
  void anEngineWithoutMemoryLeavesTheAllocationToNetty() throws Exception {
    Result result =
        HostJvm.netty("4.1")
            .agent("listen=none")
            .option("-Dcistern.test.fault=memory")
            .argument("wait=1500")
            .run();
    assertUntouched(result);
    assertThat(result.agentLines()).noneMatch(line -> line.contains("leaves"));
  }

  @Test
  void attachingTwiceIsHarmless() throws Exception {
    Result result =
        HostJvm.netty("4.1").agent("listen=none").agent("listen=none").argument("swap").run();
    assertThat(result.exit()).isZero();
    assertThat(result.behaviour()).isEqualTo(bare.behaviour());
    assertThat(result.agentLines()).hasSize(2);
    assertThat(result.agentLines().get(0)).contains("already attached");
  }

  @Test
  void aJvmWithoutNettyIsLeftInPeace() throws Exception {
    Result result =
        HostJvm.onClassPath(
                "example.host.NoNetty", Path.of("target", "test-classes").toAbsolutePath())
            .agent("")
            .run();
    assertThat(result.exit()).isZero();
    assertThat(result.out()).containsExactly("done");
    assertThat(result.err()).isEmpty();
  }
}
