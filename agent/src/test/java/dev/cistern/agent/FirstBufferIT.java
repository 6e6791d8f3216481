/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.agent.HostJvm.Result;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Served from the very first buffer on: Netty makes no chunk that it would keep for good. */
class FirstBufferIT {
  private static final String OURS = "buffer dev.cistern.bridge.DirectBridgeBuf";

  private static HostJvm host(String line) {
    return HostJvm.netty(line)
        .main("example.host.FirstBuffers")
        .agent("listen=none,firstBufferMillis=20000");
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  void firstBuffersOfAllThreadsAreOurs(String line) throws Exception {
    Result result = host(line).run();
    assertThat(result.exit()).as("%s", result).isZero();
    assertThat(result.out()).as("%s", result).contains("chunks of Netty 0");
    assertThat(result.out()).filteredOn(OURS::equals).as("%s", result).hasSize(4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  void aCopyTurnedOffBeforeItsFirstBufferKeepsNothingOfOurs(String line) throws Exception {
    Result result = host(line).argument("off").run();
    assertThat(result.exit()).as("%s", result).isZero();
    assertThat(result.out())
        .as("%s", result)
        .doesNotContain(OURS)
        .anyMatch(text -> text.contains("nothing of ours is left in its classes"));
  }
}
