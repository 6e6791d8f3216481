/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.demo.Exposition;
import dev.cistern.demo.Metrics;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A host that runs bare and with the agent. It receives the same requests and must send the same
 * responses.
 */
final class Comparison {
  private static final Duration REST_LIMIT = Duration.ofSeconds(10);
  private static final String OBSERVE = "mode=observe,sampleIntervalBytes=4k,listen=127.0.0.1:0";

  /** Lines of a host that used a buffer incorrectly, or leaked one. */
  private static final Pattern FAULT =
      Pattern.compile("LEAK:|IllegalReferenceCount|OutOfMemory|OutOfDirectMemory|IndexOutOfBounds");

  private final HostCommand command;
  private final HostCommand withAgent;
  private final List<String> pools;

  /** Bytes of buffers that the idle host keeps. */
  private final double keptBytes;

  private Comparison(HostCommand command, HostCommand withAgent, List<String> pools) {
    this(command, withAgent, pools, 0);
  }

  private Comparison(
      HostCommand command, HostCommand withAgent, List<String> pools, double keptBytes) {
    this.command = command;
    this.withAgent = withAgent;
    this.pools = pools;
    this.keptBytes = keptBytes;
  }

  /**
   * Compares the responses of a host with and without the agent.
   *
   * @param pools the copies of Netty in the host, as metrics name them
   * @return the last scrape
   */
  static Exposition compare(HostCommand command, String... pools) throws Exception {
    return compare(command, command.withAgent(), pools);
  }

  /** Does the same for a host with a special command for the run with the agent. */
  static Exposition compare(HostCommand command, HostCommand withAgent, String... pools)
      throws Exception {
    return new Comparison(command, withAgent, List.of(pools)).compare();
  }

  /**
   * Does the same for a host whose released buffers are in quarantine. It does not check whether
   * their memory is returned.
   */
  static void compareAtParanoid(HostCommand command, String pool) throws Exception {
    HostCommand paranoid = command.with("-Dio.netty.leakDetection.level=paranoid");
    new Comparison(paranoid, paranoid.withAgent(), List.of(pool)).compareAtParanoid();
  }

  /**
   * Does the same for a host that keeps its own allocators, whose metrics the agent reads. Many
   * buffers are sampled, because the test checks the end of each sample.
   */
  static void observe(HostCommand command, String pool) throws Exception {
    HostCommand withAgent = command.withAgent(OBSERVE);
    new Comparison(command, withAgent, List.of(pool)).observe(pool);
  }

  /**
   * Runs the load of a host's clients bare, with {@code mode=swap} and with {@code mode=observe}.
   * No request may fail, and the copy of Netty must be in the mode.
   */
  static void underLoad(HostCommand command, String pool) throws Exception {
    underLoad(command, 0, pool);
  }

  /**
   * Does the same for a host that keeps buffers for its connections.
   *
   * @param pools the copies of Netty in the host; the last one serves the load
   */
  static void underLoad(HostCommand command, double keptBytes, String... pools) throws Exception {
    HostCommand swapped = command.withAgent();
    HostCommand observed = command.withAgent(OBSERVE);
    new Comparison(command, swapped, List.of(pools), keptBytes)
        .loadAll(observed, pools[pools.length - 1]);
  }

  /**
   * Asserts that a host sends the same responses, and that the agent logs once that it is disabled.
   */
  static void compareDisabled(HostCommand command) throws Exception {
    new Comparison(command, command.withAgent(), List.of()).compareDisabled();
  }

  private Exposition compare() throws Exception {
    try (HostProcess bare = HostProcess.start(command);
        HostProcess served = HostProcess.start(withAgent)) {
      Map<String, byte[]> expected = talk(bare);
      Metrics metrics = served.metrics(pools.size(), () -> touch(served));
      assertSame(talk(served), expected);
      Exposition warm = atRest(metrics);
      assertSame(talk(served), expected);
      Exposition after = atRest(metrics);
      for (String pool : pools) {
        double allocations = assertServed(pool, warm, after, expected.size());
        assertAllBuffersFreed(pool, warm, after, allocations);
      }
      assertChannelsAreSeen(served, metrics);
      endAndCompare(bare, served);
      Compatibility.record(command, "swap", after);
      return after;
    }
  }

  private void compareAtParanoid() throws Exception {
    try (HostProcess bare = HostProcess.start(command);
        HostProcess served = HostProcess.start(withAgent)) {
      Map<String, byte[]> expected = talk(bare);
      Metrics metrics = served.metrics(pools.size(), () -> touch(served));
      Exposition before = metrics.scrape();
      assertSame(talk(served), expected);
      assertServed(pools.get(0), before, metrics.scrape(), expected.size());
      endAndCompare(bare, served);
    }
  }

  private void observe(String pool) throws Exception {
    try (HostProcess bare = HostProcess.start(command);
        HostProcess observed = HostProcess.start(withAgent)) {
      Map<String, byte[]> expected = talk(bare);
      Metrics metrics = observed.metrics(1, () -> touch(observed));
      Exposition before = metrics.scrape();
      assertSame(talk(observed), expected);
      assertSame(talk(observed), expected);
      Exposition after =
          metrics.scrapeUntil(scrape -> scrape.sum("cistern_live_bytes") == 0, REST_LIMIT);
      assertObserved(pool, before, after, 0);
      assertChannelsAreSeen(observed, metrics);
      endAndCompare(bare, observed);
      Compatibility.record(command, "observe", after);
    }
  }

  private void loadAll(HostCommand withObserver, String pool) throws Exception {
    try (HostProcess bare = HostProcess.start(command);
        HostProcess swapped = HostProcess.start(withAgent);
        HostProcess observed = HostProcess.start(withObserver)) {
      Map<String, byte[]> expected = talk(bare);
      Metrics swap = swapped.metrics(pools.size(), () -> touch(swapped));
      Exposition warm = atRest(swap);
      assertSame(talk(swapped), expected);
      double pinned = warm.sum("cistern_pinned_bytes", "pool", pool);
      Exposition served =
          swap.scrapeUntil(
              scrape -> scrape.sumIfThere("cistern_pinned_bytes").orElse(-1) <= pinned, REST_LIMIT);
      assertAllBuffersFreed(pool, warm, served, assertServed(pool, warm, served, expected.size()));
      Metrics observe = observed.metrics(pools.size(), () -> touch(observed));
      Exposition before = observe.scrape();
      double kept = keptBytes == 0 ? 0 : before.sum("cistern_live_bytes");
      assertSame(talk(observed), expected);
      assertObserved(
          pool,
          before,
          observe.scrapeUntil(scrape -> scrape.sum("cistern_live_bytes") <= kept, REST_LIMIT),
          kept);
      for (HostProcess host : List.of(bare, swapped, observed)) {
        host.end();
        assertThat(host.errors()).as("%s", host).noneMatch(FAULT.asPredicate());
      }
      Compatibility.record(command, "swap", served);
      Compatibility.record(command, "observe", before);
    }
  }

  private void compareDisabled() throws Exception {
    try (HostProcess bare = HostProcess.start(command);
        HostProcess aside = HostProcess.start(withAgent)) {
      assertSame(talk(aside), talk(bare));
      bare.end();
      aside.end();
      assertThat(aside.agentLines()).singleElement().asString().contains("agent disabled");
      assertThat(aside.ownLines()).isEqualTo(bare.ownLines());
    }
  }

  private void endAndCompare(HostProcess bare, HostProcess served) throws Exception {
    bare.end();
    served.end();
    assertThat(served.agentLines()).as("%s", served).hasSize(pools.size());
    assertThat(served.ownLines()).isEqualTo(bare.ownLines());
  }

  private void touch(HostProcess host) throws Exception {
    List<Integer> ports = host.ports();
    for (int i = 0; i < ports.size(); i++) {
      command.clients().get(i).touch(ports.get(i));
    }
  }

  private Map<String, byte[]> talk(HostProcess host) throws Exception {
    Map<String, byte[]> answers = new LinkedHashMap<>();
    List<Integer> ports = host.ports();
    assertThat(ports).hasSameSizeAs(command.clients());
    for (int i = 0; i < ports.size(); i++) {
      int number = i;
      try {
        command
            .clients()
            .get(i)
            .talk(ports.get(i))
            .forEach((name, answer) -> answers.put("port " + number + ", " + name, answer));
      } catch (AssertionError failed) {
        throw new AssertionError(host.toString(), failed);
      }
    }
    return answers;
  }

  /** Asserts that all responses have the same names, the same bytes, and the same order. */
  static void assertSame(Map<String, byte[]> answers, Map<String, byte[]> expected) {
    assertThat(new ArrayList<>(answers.keySet())).isEqualTo(new ArrayList<>(expected.keySet()));
    expected.forEach(
        (name, answer) ->
            assertThat(Arrays.mismatch(answers.get(name), answer))
                .as("first byte of '%s' that differs", name)
                .isEqualTo(-1));
  }

  private static void assertObserved(
      String pool, Exposition before, Exposition after, double kept) {
    assertMode(pool, "observe", after);
    assertThat(after.sum("cistern_served_allocations_total")).as("served by Cistern").isZero();
    assertThat(after.samples("cistern_allocations_total")).as("pools of Cistern").isEmpty();
    assertThat(after.sum("cistern_netty_allocators", "pool", pool)).isPositive();
    assertThat(after.sum("cistern_netty_allocators_dropped_total", "pool", pool)).isZero();
    boolean isAdaptive =
        after
            .samples("cistern_netty_allocator_reserved_bytes", "pool", pool)
            .anyMatch(told -> told.label("allocator").startsWith("adaptive-"));
    assertThat(
            isAdaptive
                ? grown("cistern_netty_allocator_reserved_bytes", pool, before, after)
                : grown("cistern_netty_arena_allocations_total", pool, before, after))
        .as("metrics of the host's own allocators, adaptive: %s", isAdaptive)
        .isPositive();
    assertThat(after.sum("cistern_netty_allocator_reserved_bytes", "pool", pool)).isPositive();
    assertThat(after.sum("cistern_live_bytes", "pool", pool))
        .as("samples whose end was missed")
        .isLessThanOrEqualTo(kept);
    assertThat(after.sum("cistern_fallback_allocations_total", "pool", pool)).isZero();
    assertThat(after.sum("cistern_bridge_failures_total", "pool", pool)).isZero();
    assertThat(after.sum("cistern_leak_watch_failures_total", "pool", pool)).isZero();
    assertThat(after.sum("cistern_leaks_total", "pool", pool)).isZero();
  }

  private static void assertMode(String pool, String mode, Exposition scrape) {
    assertThat(scrape.samples("cistern_netty_copy_info", "pool", pool))
        .as("modes of %s", pool)
        .singleElement()
        .satisfies(copy -> assertThat(copy.label("mode")).isEqualTo(mode));
  }

  private double assertServed(String pool, Exposition before, Exposition after, int answers) {
    assertMode(pool, "swap", after);
    double allocations = grown("cistern_allocations_total", pool, before, after);
    assertThat(allocations)
        .as("allocations in the pool of %s", pool)
        // every response needs at least one receive buffer
        .isGreaterThanOrEqualTo((double) answers / pools.size());
    assertThat(after.sum("cistern_fallback_allocations_total", "pool", pool)).isZero();
    assertThat(after.sum("cistern_bridge_failures_total", "pool", pool)).isZero();
    assertThat(after.sum("cistern_leaks_total", "pool", pool)).isZero();
    return allocations;
  }

  private static void assertAllBuffersFreed(
      String pool, Exposition warm, Exposition after, double allocations) {
    assertThat(grown("cistern_deallocations_total", pool, warm, after))
        .as("releases in the pool of %s", pool)
        .isEqualTo(allocations);
    assertThat(after.sum("cistern_pinned_bytes", "pool", pool))
        .as("pinned when the load has ended")
        .isLessThanOrEqualTo(warm.sum("cistern_pinned_bytes", "pool", pool));
  }

  /** Asserts that the agent sees a channel in each copy, and the HTTP/2 streams. */
  private void assertChannelsAreSeen(HostProcess host, Metrics metrics) throws Exception {
    List<OpenConnection> connections = new ArrayList<>();
    try {
      List<Integer> ports = host.ports();
      for (int i = 0; i < ports.size(); i++) {
        command.clients().get(i).open(ports.get(i)).ifPresent(connections::add);
      }
      int streams = connections.stream().mapToInt(OpenConnection::streams).sum();
      assertThat(connections).as("connections that stay open").isNotEmpty();
      Exposition scrape =
          metrics.scrapeUntil(
              now ->
                  pools.stream().allMatch(pool -> channels(now, pool) > 0)
                      && now.sum("cistern_http2_streams") >= streams,
              REST_LIMIT);
      for (String pool : pools) {
        assertThat(channels(scrape, pool)).as("channels of %s", pool).isPositive();
      }
      assertThat(scrape.sum("cistern_http2_streams")).as("HTTP/2 streams").isEqualTo(streams);
      assertThat(scrape.sum("cistern_outbound_channels_dropped_total")).isZero();
      assertThat(scrape.sum("cistern_leak_watch_failures_total")).isZero();
    } finally {
      for (OpenConnection connection : connections) {
        connection.close();
      }
    }
  }

  private static double channels(Exposition scrape, String pool) {
    return scrape.sum("cistern_outbound_channels", "pool", pool);
  }

  private static double grown(String name, String pool, Exposition before, Exposition after) {
    return after.sum(name, "pool", pool) - before.sum(name, "pool", pool);
  }

  private Exposition atRest(Metrics metrics) throws IOException {
    return metrics.scrapeUntil(
        scrape -> scrape.sumIfThere("cistern_pinned_bytes").orElse(keptBytes + 1) <= keptBytes,
        REST_LIMIT);
  }
}
