/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.agent.HostJvm.Result;
import dev.cistern.agent.weave.NettyJars;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Netty 4.2's own events of the flight recorder, bare and served. */
class FlightRecorderIT {
  private static HostJvm host(String main, String home) {
    Path[] entries =
        Stream.concat(
                Stream.of(Path.of("target", "test-classes").toAbsolutePath()),
                Arrays.stream(NettyJars.of("4.2")))
            .toArray(Path[]::new);
    return HostJvm.onClassPath(main, entries).jdk(home);
  }

  @ParameterizedTest
  @MethodSource("dev.cistern.agent.HostJvm#homes")
  void ourBuffersAreRecordedAsNettysOwn(String home) throws Exception {
    Result bare = host("example.host.Recorded", home).run();
    Result served = host("example.host.Recorded", home).agent("listen=none").argument("swap").run();
    assertThat(served.exit()).as("%s", served).isZero();
    assertThat(sorted(served)).as("%s", served).isEqualTo(sorted(bare)).contains("done");
    assertThat(served.out())
        .contains(
            "FreeBuffer 202",
            "class AllocateChunk 2",
            "class FreeChunk 2",
            "class chunk of io.netty.buffer.PooledByteBufAllocator direct unpooled")
        .doesNotContain("class not served");
  }

  private static List<String> sorted(Result result) {
    return result.behaviour().stream().sorted().toList();
  }

  @Test
  void aRuntimeWithoutARecorderIsServed() throws Exception {
    String home = System.getProperty("java.home");
    Result served =
        host("example.host.Host", home)
            .option("--limit-modules=java.base,java.instrument,java.logging,jdk.unsupported")
            .agent("listen=none")
            .argument("swap")
            .run();
    assertThat(served.exit()).as("%s", served).isZero();
    assertThat(served.behaviour()).endsWith("done");
    assertThat(served.classes()).contains("dev.cistern.netty.pool.CisternByteBuf");
  }
}
