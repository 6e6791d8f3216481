/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.agent.HostJvm.Result;
import dev.cistern.agent.weave.NettyJars;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The metrics of a host's own allocators, without the agent and served by it. */
class HostViewIT {
  private static final String[] COUNTING = {
    "--add-opens=java.base/java.nio=ALL-UNNAMED", "-Dio.netty.tryReflectionSetAccessible=true",
  };

  private static HostJvm gauges(String line) {
    Path[] entries =
        Stream.concat(
                Stream.of(Path.of("target", "test-classes").toAbsolutePath()),
                Arrays.stream(NettyJars.of(line)))
            .toArray(Path[]::new);
    return HostJvm.onClassPath("example.host.Gauges", entries);
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  void theAllocatorsOfTheHostReportThePoolsMemory(String line) throws Exception {
    Result bare = gauges(line).option(COUNTING).run();
    Result served = gauges(line).option(COUNTING).agent("listen=none").argument("swap").run();
    assertThat(served.exit()).as("%s", served).isZero();
    assertThat(served.behaviour()).as("%s", served).isEqualTo(bare.behaviour()).endsWith("done");
    assertThat(served.out()).doesNotContain("class not served");
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  void theLimitAppliesToTheSumOfNettysAndThePoolsMemory(String line) throws Exception {
    String[] limited = {COUNTING[0], COUNTING[1], "-Dio.netty.maxDirectMemory=100663296"};
    Result bare = gauges(line).option(limited).argument("limit").run();
    Result served =
        gauges(line).option(limited).agent("listen=none").argument("swap", "limit").run();
    assertThat(served.exit()).as("%s", served).isZero();
    assertThat(served.behaviour())
        .as("%s", served)
        .isEqualTo(bare.behaviour())
        .contains("refused by io.netty.util.internal.OutOfDirectMemoryError")
        .contains("within the limit true, used up true")
        .doesNotContain("within the limit false");
  }
}
