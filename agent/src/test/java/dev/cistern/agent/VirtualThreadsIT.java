/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.testing.TestLength;
import java.time.Duration;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A host whose virtual threads allocate and release buffers, on JDK 25. */
class VirtualThreadsIT {
  private static final String POOL_BUFFER = "dev.cistern.netty.pool.CisternByteBuf";
  private static final int TASKS = TestLength.choose(100_000, 100_000, 1_000_000);
  private static final String[] FEW_CARRIERS = {
    "-Djdk.virtualThreadScheduler.parallelism=2", "-Djdk.virtualThreadScheduler.maxPoolSize=2"
  };

  private static String home;

  @BeforeAll
  static void findJdk() {
    home = System.getProperty("jdk25.home", "");
    Assumptions.assumeFalse(home.isEmpty(), "no JDK 25: name one by -Djdk25.home");
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  void aCrowdOfThemIsServedFromSharedCachesAndLeavesNothing(String line) throws Exception {
    try (RunningHost host =
        HostJvm.netty(line)
            .main("example.host.VirtualCrowd")
            .jdk(home)
            .option(FEW_CARRIERS)
            .agent("detail=internals,sampleIntervalBytes=64k," + AgentEndpoint.LISTEN)
            .start()) {
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> host.order("class"), (POOL_BUFFER + ' ' + POOL_BUFFER)::equals);
      AgentEndpoint endpoint = AgentEndpoint.of(host);
      Figures before = Figures.of(endpoint);
      String[] outcome = host.order("crowd " + TASKS).split(" ", -1);
      assertThat(outcome[1]).as("tasks that failed, of %s", host.errors()).isEqualTo("0");
      assertThat(Integer.parseInt(outcome[0])).as("handed over").isEqualTo(TASKS);
      Figures after = Figures.of(endpoint);
      assertThat(after.served() - before.served()).isEqualTo(TASKS);
      assertThat(after.allocations() - before.allocations()).isEqualTo(TASKS);
      assertThat(after.releases() - before.releases()).isEqualTo(TASKS);
      assertThat(after.requestedBytes() - before.requestedBytes()).isEqualTo(bytesOf(TASKS));
      assertThat(after.threadCaches())
          .as("threads that ever had a cache of their own: virtual ones share caches")
          .isEqualTo(before.threadCaches());
      assertNothingIsLeft(host, endpoint);
    }
  }

  /**
   * Returns the bytes that the host's tasks request: 4 bytes each, and 0 to 99 times 37 more, in
   * turn.
   */
  private static double bytesOf(int tasks) {
    return tasks * (4 + 37 * 99 / 2.0);
  }

  private static void assertNothingIsLeft(RunningHost host, AgentEndpoint endpoint)
      throws Exception {
    assertThat(endpoint.sum("cistern_pinned_bytes")).isZero();
    assertThat(endpoint.sum("cistern_leak_samples_total")).as("drawn").isPositive();
    host.order("collect");
    assertThat(endpoint.sum("cistern_live_buffers")).isZero();
    assertThat(endpoint.sum("cistern_leaks_total")).isZero();
    assertThat(endpoint.sum("cistern_leak_trackers")).isZero();
    assertThat(endpoint.sum("cistern_leak_watch_failures_total")).isZero();
    assertThat(endpoint.sum("cistern_fallback_allocations_total")).isZero();
    assertThat(endpoint.sum("cistern_bridge_failures_total")).isZero();
    assertThat(host.errors())
        .filteredOn(text -> text.startsWith("cistern: "))
        .singleElement()
        .asString()
        .contains(" serves ");
    assertThat(host.exit()).isZero();
  }

  /** The counters, read while no thread allocates or releases. */
  private record Figures(
      double served,
      double allocations,
      double releases,
      double requestedBytes,
      double threadCaches) {
    static Figures of(AgentEndpoint endpoint) throws Exception {
      return new Figures(
          endpoint.sum("cistern_served_allocations_total"),
          endpoint.sum("cistern_allocations_total"),
          endpoint.sum("cistern_deallocations_total"),
          endpoint.sum("cistern_requested_bytes_total"),
          endpoint.sum("cistern_thread_caches")
              + endpoint.sum("cistern_thread_caches_given_up_total"));
    }
  }
}
