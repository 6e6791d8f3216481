/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.agent.HostJvm.Result;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The agent is loaded into a running JVM whose threads allocate at that moment. */
class AttachIT {
  static Stream<Arguments> homesAndLines() {
    return HostJvm.homes()
        .flatMap(home -> Stream.of(Arguments.of(home, "4.1"), Arguments.of(home, "4.2")));
  }

  @ParameterizedTest
  @MethodSource("homesAndLines")
  @Tag("smoke")
  void aRunningHostIsServedFromThenOn(String home, String line) throws Exception {
    Result bare = HostJvm.netty(line).jdk(home).run();
    Result served =
        HostJvm.netty(line)
            .jdk(home)
            .argument("swap")
            .attach("listen=none")
            .untilAgentPrints("serves")
            .run();

    assertThat(served.exit()).isZero();
    assertThat(served.behaviour()).isEqualTo(bare.behaviour());
    assertThat(served.classes().subList(0, 6)).allMatch(name -> name.startsWith("dev.cistern."));
    assertThat(served.agentLines()).anyMatch(text -> text.contains("serves io.netty"));
  }

  @ParameterizedTest
  @MethodSource("homesAndLines")
  void loadingItTwiceIsHarmless(String home, String line) throws Exception {
    Result served =
        HostJvm.netty(line)
            .jdk(home)
            .argument("swap")
            .attach("listen=none")
            .attach("listen=none")
            .untilAgentPrints("serves")
            .run();

    assertThat(served.exit()).isZero();
    assertThat(served.behaviour()).endsWith("done");
    assertThat(served.agentLines().stream().filter(text -> text.contains("serves io.netty")))
        .hasSize(1);
  }

  /** The agent listens only once Netty is loaded, so that no tool of the JDK opens a port. */
  @Test
  void aProcessThatHasNoNettyYetIsServedOnceItHas() throws Exception {
    try (RunningHost host = HostJvm.netty("4.1").main("example.host.LateNetty").start()) {
      host.attach(AgentEndpoint.LISTEN);
      assertThat(host.order("alive")).isEmpty();
      assertThat(ListeningSockets.ports(host.pid())).isEmpty();
      assertThat(host.errors()).filteredOn(line -> line.startsWith("cistern")).isEmpty();
      host.order("netty");
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> host.order("class").startsWith("dev.cistern.netty."));
      int port = AgentEndpoint.of(host).port(); // waits until the host's log names the endpoint
      assertThat(ListeningSockets.ports(host.pid())).containsExactly(port);
      assertThat(host.exit()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"swap", "observe"})
  void anAllocatorThatIsLoadedLaterIsInstrumentedToo(String mode) throws Exception {
    try (RunningHost host =
        HostJvm.netty("4.1")
            .main("example.host.LateNetty")
            .agent("listen=none,mode=" + mode)
            .start()) {
      host.order("netty");
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> host.inventory().contains(": " + mode + ", "));
      await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () -> {
                boolean isServed = host.order("adaptive").startsWith("dev.cistern.");
                return isServed == mode.equals("swap")
                    && host.inventory().contains("AdaptiveByteBufAllocator-");
              });
      assertThat(host.attribute("Endpoint")).isEqualTo("no endpoint");
    }
  }
}
