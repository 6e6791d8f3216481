/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.demo.Metrics;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Apache Arrow extends Netty's allocator, and allocates from its arenas with a separate method. */
class ArrowIT {
  @ParameterizedTest
  @CsvSource({"4.1.135,swap", "4.2.18,swap", "4.1.135,observe", "4.2.18,observe"})
  void itsAllocatorIsObserved(String version, String mode) throws Exception {
    HostCommand command =
        HostCommand.of("arrow", "example.hosts.arrow.ArrowHost")
            .first("netty/" + version)
            .with("--add-opens=java.base/java.nio=ALL-UNNAMED")
            .with("-Dio.netty.leakDetection.level=paranoid") // each buffer is sampled
            .withAgent("listen=127.0.0.1:0,statsDirectory=none,mode=" + mode);
    try (HostProcess host = HostProcess.start(command)) {
      assertThat(host.ports()).hasSize(1);
      Metrics metrics = host.metrics(1, () -> {});
      await()
          .atMost(HostProcess.LIMIT)
          .untilAsserted(
              () ->
                  assertThat(metrics.get("/metrics"))
                      .containsPattern(
                          "cistern_allocator_info\\{allocator=\"PooledByteBufAllocatorL[$]InnerAllocator"
                              + ".*service=\"observed\"")
                      .containsPattern("cistern_live_bytes\\{.*ArrowHost.allocate.*} [1-9]")
                      .containsPattern(
                          "cistern_netty_arena_allocations_total\\{.*memory=\"direct\".* [1-9]"));
      assertThat(host.agentLines())
          .hasSize(2)
          .last()
          .asString()
          .contains(
              "io.netty.buffer.PooledByteBufAllocatorL$InnerAllocator takes memory from Netty's"
                  + " arenas by its own newDirectBufferL: these buffers are observed, not served");
      host.end();
      Compatibility.record(command, "observed");
    }
  }
}
