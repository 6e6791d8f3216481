/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.agent.HostJvm.Result;
import dev.cistern.agent.weave.NettyJars;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The classes of the agent that a host can find. */
class IsolationIT {
  private static final String BOOT = "dev.cistern.agent.boot.CisternAgent";

  private static final List<String> NAMES =
      List.of(
          BOOT,
          "dev.cistern.agent.AgentMain",
          "dev.cistern.agent.netty.BridgeLoader",
          "dev.cistern.bridge.Bridge",
          "dev.cistern.exporter.view.DiagnosticsText",
          "dev.cistern.pool.BufferPool",
          "dev.cistern.stats.PoolSnapshot",
          "dev.cistern.util.internal.Settings",
          "org.objectweb.asm.ClassReader",
          "io.prometheus.metrics.model.snapshots.MetricSnapshots",
          "io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter",
          "org.apache.hc.core5.http.message.BasicLineParser",
          "org.snakeyaml.engine.v2.api.Load");

  private static HostJvm curious(String home, String mode, Path... entries) {
    List<String> arguments = new ArrayList<>(List.of(mode));
    arguments.addAll(NAMES);
    return HostJvm.onClassPath("example.host.Curious", entries)
        .jdk(home)
        .argument(arguments.toArray(new String[0]));
  }

  @ParameterizedTest
  @MethodSource("dev.cistern.agent.HostJvm#homes")
  void theHostSeesNothingButTheBootPackage(String home) throws Exception {
    Path host = Path.of("target", "isolated-host").toAbsolutePath();
    Files.createDirectories(host.resolve("example/host"));
    Files.write(host.resolve("example/host/Curious.class"), NettyJars.own("example/host/Curious"));
    Files.write(host.resolve("example/host/Bare.class"), NettyJars.own("example/host/Bare"));
    Path[] entries =
        Stream.concat(Stream.of(host), Arrays.stream(NettyJars.of("4.2"))).toArray(Path[]::new);
    Result bare = curious(home, "bare", entries).run();
    Result served = curious(home, "swap", entries).agent("listen=none").run();
    assertThat(served.exit()).as("%s", served).isZero();
    assertThat(served.behaviour())
        .as("modules are as open as they were")
        .isEqualTo(bare.behaviour())
        .endsWith("done");
    assertThat(bare.classes()).as("%s", bare).isEmpty();
    assertThat(served.classes())
        .as("%s", served)
        .contains("seen " + BOOT + " by system")
        .allMatch(line -> line.contains(" " + BOOT + " by "))
        .noneMatch(line -> line.endsWith("by platform") || line.endsWith("by boot"));
  }
}
