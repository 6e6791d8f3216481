/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.agent.HostJvm.Result;
import dev.cistern.agent.weave.NettyJars;
import dev.cistern.netty.CisternAllocator;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An application that uses {@code CisternAllocator} in a JVM with the agent. */
class TwoPoolsIT {
  private static final String[] COUNTING = {
    "--add-opens=java.base/java.nio=ALL-UNNAMED", "-Dio.netty.tryReflectionSetAccessible=true",
  };

  /** The bytes of the slot for a request of 1,000 bytes. */
  private static final int SLOT_BYTES = 1024;

  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  void eachBufferIsServedOnceAndEachPoolCountsItsOwn(String line) throws Exception {
    Path allocator =
        Path.of(CisternAllocator.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Path[] entries =
        Stream.concat(
                Stream.of(
                    Path.of("target", "test-classes").toAbsolutePath(),
                    allocator,
                    HostJvm.library()),
                Arrays.stream(NettyJars.of(line)))
            .toArray(Path[]::new);
    Result result =
        HostJvm.onClassPath("example.host.TwoPools", entries)
            .option(COUNTING)
            .agent(AgentEndpoint.LISTEN)
            .run();
    assertThat(result.exit()).as("%s", result).isZero();
    assertThat(result.out())
        .as("%s", result)
        .containsExactly(
            "agent served 200",
            "library served 300",
            "agent pinned " + 200 * SLOT_BYTES,
            "library pinned " + 300 * SLOT_BYTES,
            "class dev.cistern.netty.pool.CisternByteBuf",
            "class dev.cistern.netty.pool.CisternByteBuf",
            "same class false",
            "of the application true",
            "counted true",
            "sum of both counted true",
            "pinned 0",
            "pinned 0",
            "agent pinned 0",
            "done");
  }
}
