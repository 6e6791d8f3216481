/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cistern.agent.HostJvm.Result;
import dev.cistern.testing.Tool;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Invalid input and faults: the host runs normally, and one line in the log names the cause. */
class AgentFailureIT {
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
        .contains("agent argument " + argument.replaceFirst("=.*", "") + ": ")
        .endsWith("agent disabled; the application keeps its own allocator");
  }

  @ParameterizedTest
  @ValueSource(strings = {"mode: [", "mode: on", "unknown: 1"})
  void aBadFileLeavesTheHostOnItsOwnAllocator(String yaml) throws Exception {
    Path file = Files.writeString(folder.resolve("cistern.yaml"), yaml);
    Result result = HostJvm.netty("4.1").agent("config=" + file).argument("wait=500").run();
    assertUntouched(result);
    assertThat(result.agentLines()).singleElement().asString().contains(file.toString());
  }

  @Test
  void aMissingFileLeavesTheHostOnItsOwnAllocator() throws Exception {
    Result result = HostJvm.netty("4.1").agent("config=/no/such.yaml").argument("wait=500").run();
    assertUntouched(result);
    assertThat(result.agentLines())
        .singleElement()
        .asString()
        .contains("agent argument config: '/no/such.yaml' (expected: a readable file");
  }

  @Test
  void aGoodFileIsFollowed() throws Exception {
    Path file = Files.writeString(folder.resolve("c.yaml"), "listen: none\nchunkBytes: 1m\n");
    Result result =
        HostJvm.netty("4.1")
            .agent("config=" + file)
            .argument("swap")
            .untilAgentPrints("serves")
            .run();
    assertThat(result.agentLines()).singleElement().asString().contains("no endpoint");
    assertThat(result.classes().get(0)).startsWith("dev.cistern.");
  }

  @Test
  void modeOffChangesNothingAndLogsNothing() throws Exception {
    Result off = HostJvm.netty("4.1").agent("mode=off").argument("wait=500").run();
    assertUntouched(off);
    assertThat(off.agentLines()).isEmpty();
  }

  @Test
  void observeLeavesTheHostItsOwnBuffers() throws Exception {
    Result observe =
        HostJvm.netty("4.1").agent("mode=observe,listen=none").untilAgentPrints("observes").run();
    assertUntouched(observe);
    assertThat(observe.agentLines())
        .singleElement()
        .asString()
        .matches("cistern: observes io.netty 4.1.*, no endpoint");
  }

  @Test
  void aPortThatIsTakenCostsOnlyTheEndpoint() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String listen = "127.0.0.1:" + taken.getLocalPort();
      Result result =
          HostJvm.netty("4.1")
              .agent("listen=" + listen)
              .argument("swap")
              .untilAgentPrints("serves")
              .run();
      assertThat(result.exit()).isZero();
      assertThat(result.behaviour()).isEqualTo(bare.behaviour());
      assertThat(result.classes().get(0)).startsWith("dev.cistern.");
      assertThat(result.agentLines()).hasSize(2);
      assertThat(result.agentLines().get(0)).contains("listen = '" + listen + "': Address already");
      assertThat(result.agentLines().get(1)).contains("serves").endsWith("no endpoint");
    }
  }

  @Test
  void aRuntimeWithoutTheJdksHttpServerHasAnEndpoint() throws Exception {
    Path runtime = folder.resolve("runtime");
    String modules = "java.instrument,java.logging,java.management,jdk.unsupported";
    int linked =
        ToolProvider.findFirst("jlink")
            .orElseThrow()
            .run(System.out, System.err, "--add-modules", modules, "--output", runtime.toString());
    assertThat(linked).as("jlink").isZero();
    Result result =
        HostJvm.netty("4.1")
            .jdk(runtime.toString())
            .agent("listen=127.0.0.1:0")
            .argument("swap")
            .untilAgentPrints("serves")
            .run();
    assertThat(result.exit()).as("%s", result).isZero();
    assertThat(result.behaviour()).isEqualTo(bare.behaviour());
    assertThat(result.classes().get(0)).startsWith("dev.cistern.");
    assertThat(result.agentLines())
        .singleElement()
        .asString()
        .contains("serves io.netty", "metrics on http://127.0.0.1:");
  }

  @ParameterizedTest
  @MethodSource("dev.cistern.agent.HostJvm#homes")
  void anApplicationThatDoesNotNeedTheHttpServerHasAnEndpoint(String home) throws Exception {
    Result result =
        HostJvm.netty("4.2")
            .jdk(home)
            .option("--limit-modules", "java.logging,java.management,jdk.unsupported")
            .agent("listen=127.0.0.1:0")
            .argument("swap")
            .untilAgentPrints("serves")
            .run();
    assertThat(result.exit()).as("%s", result).isZero();
    assertThat(result.agentLines())
        .singleElement()
        .asString()
        .contains("serves io.netty", "metrics on http://127.0.0.1:");
  }

  @ParameterizedTest
  @CsvSource({
    "DEFINE_HOOKS,injected fault at DEFINE_HOOKS",
    "selfTest,self-test: java.lang.AssertionError: injected fault"
  })
  void aFaultBeforeActivationLeavesTheHostOnItsOwnAllocator(String fault, String reason)
      throws Exception {
    Result result =
        HostJvm.netty("4.1")
            .agent("listen=none")
            .option("-Dcistern.test.fault=" + fault)
            .untilAgentPrints("leaves")
            .run();
    assertUntouched(result);
    assertThat(result.agentLines())
        .singleElement()
        .asString()
        .matches("cistern: leaves io.netty 4.1.* on its own allocator: " + reason);
  }

  @Test
  void anEngineThatThrowsIsPausedAndTheReasonIsLoggedOnce() throws Exception {
    Result result =
        HostJvm.netty("4.1")
            .agent("listen=none")
            .option("-Dcistern.test.fault=engine")
            .untilAgentPrints("leaves")
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

  /**
   * A killed host leaves no file, lock or port that disturbs the next host. The test binds the port
   * and does not listen. The agent can bind it as well, because both reuse addresses, but the
   * system gives it to no other process.
   */
  @Test
  void aHostThatWasKilledDoesNotDisturbTheNextOne() throws Exception {
    try (Socket held = new Socket()) {
      held.setReuseAddress(true);
      held.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      for (int round = 0; round < 3; round++) {
        serveAndKill(held.getLocalPort());
      }
    }
    assertThat(folder).as("nothing was written").isEmptyDirectory();
  }

  private void serveAndKill(int port) throws Exception {
    String settings = "listen=127.0.0.1:" + port + ",dumpDirectory=" + folder.resolve("dumps");
    try (RunningHost host =
        HostJvm.netty("4.1").main("example.host.Steady").agent(settings).start()) {
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> host.order("classes").startsWith("dev.cistern.netty."));
      // The agent serves before it opens the endpoint and logs that.
      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(
              () ->
                  assertThat(host.errors())
                      .singleElement()
                      .asString()
                      .contains("serves", ":" + port));
      host.kill();
    }
  }

  /** Runs in its own mount namespace, which needs permission. */
  @Test
  void aHostWithoutAPlaceToWriteToIsServed() throws Exception {
    List<String> touch = new ArrayList<>(HostJvm.READ_ONLY);
    touch.addAll(List.of("sh", "-c", "! touch " + folder.resolve("file") + " 2> /dev/null"));
    assumeTrue(
        Tool.run(new ProcessBuilder(touch), 60).status() == 0,
        "no right to make a read-only file system: not tested");
    assertThat(folder).isEmptyDirectory();

    Result result =
        HostJvm.netty("4.1")
            .startedBy(HostJvm.READ_ONLY)
            .agent("listen=127.0.0.1:0")
            .argument("swap")
            .untilAgentPrints("serves")
            .run();
    assertThat(result.exit()).as("%s", result).isZero();
    assertThat(result.behaviour()).isEqualTo(bare.behaviour());
    assertThat(result.classes().get(0)).startsWith("dev.cistern.netty.");
    assertThat(result.agentLines()).singleElement().asString().contains("serves", "metrics on");
  }

  @Test
  void attachingTwiceIsHarmless() throws Exception {
    Result result =
        HostJvm.netty("4.1")
            .agent("listen=none")
            .agent("listen=none")
            .argument("swap")
            .untilAgentPrints("serves")
            .run();
    assertThat(result.exit()).isZero();
    assertThat(result.behaviour()).isEqualTo(bare.behaviour());
    assertThat(result.agentLines()).hasSize(2);
    assertThat(result.agentLines().get(0)).contains("already attached");
  }

  @Test
  void aJvmWithoutNettyIsNotChanged() throws Exception {
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
