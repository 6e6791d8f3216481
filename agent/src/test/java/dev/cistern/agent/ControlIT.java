/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.exporter.statsfile.StatsFileWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Modes that are changed by a control file, without attach and without JMX. */
class ControlIT {
  /**
   * Limit for a machine under load; {@link #aChangeTakesEffectWithinTwoSeconds} measures the time.
   */
  private static final Duration EFFECTIVE = Duration.ofSeconds(30);

  @TempDir private Path folder;

  private RunningHost start(String settings) throws Exception {
    return HostJvm.netty("4.1")
        .main("example.host.Steady")
        .agent(AgentEndpoint.LISTEN + ",statsDirectory=" + folder + settings)
        .start();
  }

  /** Returns the control file beside the stats file. */
  private Path control(String suffix) throws Exception {
    await().atMost(Duration.ofSeconds(30)).until(() -> stats() != null);
    String stats = String.valueOf(stats().getFileName());
    return folder.resolve(stats.substring(0, stats.lastIndexOf('.')) + suffix);
  }

  private Path stats() throws Exception {
    try (var files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(StatsFileWriter.SUFFIX))
          .findFirst()
          .orElse(null);
    }
  }

  private static void awaitMode(AgentEndpoint endpoint, String mode, String source) {
    await()
        .atMost(EFFECTIVE)
        .pollInterval(Duration.ofMillis(20))
        .until(
            () ->
                endpoint
                    .metrics()
                    .contains(
                        "mode=\"" + mode + "\",pool=\"io.netty\",source=\"" + source + "\"}"));
  }

  @Test
  void aLineWithEchoSwitchesThePoolOffAndOn() throws Exception {
    try (RunningHost host = start("")) {
      AgentEndpoint endpoint = AgentEndpoint.of(host);
      Path control = control(".control");
      RunningHost.write(control, "mode=off\n");
      awaitMode(endpoint, "off", "file");
      assertThat(host.order("classes")).doesNotContain("dev.cistern");
      RunningHost.write(control, "mode=observe\n");
      awaitMode(endpoint, "observe", "file");
      RunningHost.write(control, "# back\nmode=swap\n");
      awaitMode(endpoint, "swap", "file");
      assertThat(host.order("classes")).contains("dev.cistern");
      assertThat(host.mode("observe", 100, "*")).contains(": observe, ");
      awaitMode(endpoint, "observe", "jmx");
      assertThat(endpoint.sum("cistern_control_refusals_total")).isZero();
      assertThat(host.order("stop")).isEqualTo("0");
    }
  }

  /** Four of five changes must take effect in time, because load may delay one. */
  @Test
  void aChangeTakesEffectWithinTwoSeconds() throws Exception {
    try (RunningHost host = start("")) {
      Path control = control(".control");
      await().atMost(EFFECTIVE).until(() -> host.inventory().contains(": swap, "));
      List<Duration> times = new ArrayList<>();
      for (String mode : new String[] {"off", "observe", "off", "observe", "off"}) {
        // After a command, the agent polls more often for five seconds; wait until it stops that.
        await().pollDelay(Duration.ofSeconds(6)).until(() -> true);
        long start = System.nanoTime();
        RunningHost.write(control, "mode=" + mode + "\n");
        await()
            .atMost(Duration.ofSeconds(30))
            .pollInterval(Duration.ofMillis(10))
            .until(() -> host.inventory().contains(": " + mode + ", "));
        times.add(Duration.ofNanos(System.nanoTime() - start));
      }
      assertThat(times)
          .filteredOn(time -> time.compareTo(Duration.ofSeconds(2)) < 0)
          .as("times %s", times)
          .hasSizeGreaterThanOrEqualTo(4);
    }
  }

  @Test
  void aModeAboveThatOfTheSettingsIsRefusedAndCounted() throws Exception {
    try (RunningHost host = start(",mode=observe")) {
      AgentEndpoint endpoint = AgentEndpoint.of(host);
      RunningHost.write(control(".control"), "mode=swap\n");
      await().atMost(EFFECTIVE).until(() -> endpoint.sum("cistern_control_refusals_total") == 1);
      assertThat(host.inventory()).contains(": observe, ");
      assertThat(host.errors())
          .anyMatch(line -> line.contains("command refused") && line.contains("controlRaises"));
      RunningHost.write(control(".control"), "mode=off\n");
      awaitMode(endpoint, "off", "file");
    }
  }

  @Test
  void itMayRaiseAModeIfTheSettingsPermitIt() throws Exception {
    Path control = folder.resolve("control");
    try (RunningHost host = start(",mode=off,controlRaises=true,controlFile=" + control)) {
      assertThat(host.inventory()).contains(": off, ");
      RunningHost.write(control, "mode=swap,percent=50,copies=io.netty\n");
      awaitMode(AgentEndpoint.of(host), "swap", "file");
      assertThat(host.inventory()).contains(": swap 50 %, ");
    }
  }

  @Test
  void aMalformedFileOrOneThatOtherUsersCanWriteIsRefusedAndCounted() throws Exception {
    try (RunningHost host = start("")) {
      AgentEndpoint endpoint = AgentEndpoint.of(host);
      Path control = control(".control");
      RunningHost.write(control, "mode=off", "rw-rw-rw-");
      await().atMost(EFFECTIVE).until(() -> endpoint.sum("cistern_control_refusals_total") >= 1);
      double before = endpoint.sum("cistern_control_refusals_total");
      RunningHost.write(control, "mode=sideways\nnothing\nlisten=none\n");
      await()
          .atMost(EFFECTIVE)
          .until(() -> endpoint.sum("cistern_control_refusals_total") == before + 3);
      assertThat(host.inventory()).contains(": swap, ");
    }
  }

  @Test
  void theSidecarsFileCountsOnlyIfTheSettingsPermitIt() throws Exception {
    try (RunningHost host = start(",control=sidecar")) {
      RunningHost.write(control(".sidecar-control"), "mode=off\n");
      awaitMode(AgentEndpoint.of(host), "off", "sidecar");
    }
  }

  @Test
  void withoutPermissionNoFileIsRead() throws Exception {
    try (RunningHost host = start(",control=none")) {
      RunningHost.write(control(".control"), "mode=off\n");
      RunningHost.write(control(".sidecar-control"), "mode=off\n");
      await().atMost(EFFECTIVE).until(() -> host.inventory().contains(": swap, "));
      await()
          .during(Duration.ofSeconds(3))
          .atMost(Duration.ofSeconds(15))
          .until(() -> host.inventory().contains(": swap, "));
    }
  }

  /** Before the first buffer no class of an observed copy is instrumented, and the agent waits. */
  @Test
  void anObservedHostThatHasMadeNoBufferObeys() throws Exception {
    HostJvm idle =
        HostJvm.netty("4.1")
            .main("example.host.Crowd")
            .argument("0")
            .argument("waits")
            .agent("listen=none,mode=observe,statsDirectory=" + folder);
    try (RunningHost host = idle.start()) {
      await().atMost(EFFECTIVE).until(() -> host.inventory().contains("first buffer"));
      RunningHost.write(control(".control"), "mode=off\n");
      await().atMost(EFFECTIVE).until(() -> !host.inventory().contains("first buffer"));
      assertThat(host.inventory()).contains(": off, ");
    }
  }

  /** A mounted ConfigMap exists before the JVM starts. */
  @Test
  void aFileThatIsThereBeforeTheStartHolds() throws Exception {
    Path control = folder.resolve("control");
    RunningHost.write(control, "mode=observe\n");
    try (RunningHost host = start(",controlFile=" + control)) {
      await().atMost(Duration.ofSeconds(30)).until(() -> host.inventory().contains(": observe, "));
      awaitMode(AgentEndpoint.of(host), "observe", "file");
      assertThat(host.errors()).noneMatch(line -> line.contains(" serves "));
    }
  }
}
