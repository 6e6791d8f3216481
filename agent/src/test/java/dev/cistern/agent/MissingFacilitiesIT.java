/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cistern.agent.HostJvm.Result;
import dev.cistern.exporter.statsfile.HostLiveness;
import dev.cistern.exporter.statsfile.StatsFileHeader;
import dev.cistern.exporter.statsfile.StatsFileReader;
import dev.cistern.testing.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hosts on a system that lacks facilities of Linux that the agent uses. */
class MissingFacilitiesIT {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Command that mounts another device in place of {@code /dev/zero}. */
  private static final String NO_ZERO = "mount --bind /dev/null /dev/zero";

  private static final String NO_PROC = "mount -t tmpfs none /proc";

  @TempDir private Path folder;

  /**
   * Returns the words of a command that hides a facility from the command behind them, in a mount
   * namespace. A launcher of the JDK finds its libraries by {@code /proc}.
   */
  private static List<String> hiding(String mount) {
    Path libraries = Path.of(System.getProperty("java.home"), "lib");
    String path = libraries + ":" + libraries.resolve("server");
    String script = mount + " && LD_LIBRARY_PATH=" + path + " exec \"$@\"";
    return List.of("unshare", "-m", "sh", "-c", script, "sh");
  }

  private static void assumeMounts(List<String> hidden) throws IOException, InterruptedException {
    List<String> nothing = new ArrayList<>(hidden);
    nothing.add("true");
    assumeTrue(
        Tool.run(new ProcessBuilder(nothing), 60).status() == 0,
        "no right to mount a file system: not tested");
  }

  @ParameterizedTest
  @CsvSource({
    NO_ZERO + ", malloc_mmap",
    NO_PROC + ", mmap_jdk",
    NO_ZERO + " && " + NO_PROC + ", malloc"
  })
  void aHostIsServedFromOtherMemory(String mount, String way) throws Exception {
    List<String> hidden = hiding(mount);
    assumeMounts(hidden);
    Result bare = HostJvm.netty("4.2").startedBy(hidden).run();
    Result served =
        HostJvm.netty("4.2")
            .startedBy(hidden)
            .agent("listen=127.0.0.1:0,statsDirectory=" + folder)
            .argument("swap")
            .untilAgentPrints("serves")
            .run();
    assertThat(served.exit()).as("%s", served).isZero();
    assertThat(served.behaviour()).isEqualTo(bare.behaviour()).endsWith("done");
    List<String> lines = served.agentLines();
    assertThat(lines).hasSize(way.equals("mmap_jdk") ? 1 : 2);
    assertThat(lines.get(lines.size() - 1))
        .contains("serves io.netty 4.2", "(swap, memory by " + way + "), metrics on");
    if (lines.size() == 2) {
      assertThat(lines.get(0))
          .startsWith("cistern: cannot map native memory: ")
          .contains("/dev/zero");
    }
  }

  /** Without {@code /proc}, the endpoint cannot determine the user of a local connection. */
  @Test
  void withoutProcTheEndpointAnswers() throws Exception {
    List<String> hidden = hiding(NO_PROC);
    assumeMounts(hidden);
    try (RunningHost host =
        HostJvm.netty("4.2")
            .main("example.host.Steady")
            .startedBy(hidden)
            .agent(AgentEndpoint.LISTEN + ",statsDirectory=" + folder)
            .start()) {
      AgentEndpoint endpoint = AgentEndpoint.of(host);
      assertThat(endpoint.sum("cistern_allocations_total")).isPositive();
      assertThat(endpoint.sum("cistern_agent_failures_total")).isZero();
      host.order("stop");
      assertThat(host.exit()).isZero();
    }
  }

  @Test
  void withoutLocksAHostIsUpAsLongAsItsHeartbeat() throws Exception {
    try (RunningHost host =
        HostJvm.netty("4.2")
            .main("example.host.Steady")
            .agent("listen=none,statsIntervalMillis=100,statsDirectory=" + folder)
            .option("-Dcistern.test.noLocks=true")
            .start()) {
      Path file = await().atMost(PATIENCE).until(this::file, Optional::isPresent).orElseThrow();
      StatsFileHeader header = new StatsFileReader().readHeader(file);
      assertThat(header.isLocked()).isFalse();
      assertThat(StatsFileReader.isLocked(file)).isFalse();
      assertThat(isAlive(file)).isTrue();
      long heartbeat = header.heartbeatMillis();
      await()
          .atMost(PATIENCE)
          .until(() -> new StatsFileReader().readHeader(file).heartbeatMillis() > heartbeat);
      host.kill();
      await().atMost(PATIENCE).until(() -> !isAlive(file));
    }
  }

  private static boolean isAlive(Path file) throws IOException {
    StatsFileHeader header = new StatsFileReader().readHeader(file);
    return HostLiveness.isAlive(file, header, System.currentTimeMillis());
  }

  private Optional<Path> file() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".cistern")).findFirst();
    }
  }
}
