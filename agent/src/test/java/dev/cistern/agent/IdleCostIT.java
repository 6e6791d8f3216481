/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/** The CPU time of the agent's threads in an idle application. */
@Tag("alone")
class IdleCostIT {
  /** Number of classes that the host loads. */
  private static final int CLASSES = 30_000;

  private static final double MILLIS_PER_MINUTE = 50;
  private static final double MILLIS_OF_ENDPOINT_PER_MINUTE = 20;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration MEASURED = Duration.ofSeconds(20);

  /**
   * Number of measurements. The smallest one counts, because compilations and other work of the
   * machine add to single ones.
   */
  private static final int MAX_WINDOWS = 4;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  void anIdleHostGivesTheAgentFiftyMillisecondsAMinuteAndTheEndpointTwenty(String line)
      throws Exception {
    HostJvm jvm =
        HostJvm.netty(line)
            .first(jar())
            .main("example.host.Crowd")
            .argument(String.valueOf(CLASSES))
            .agent(AgentEndpoint.LISTEN);
    try (RunningHost host = jvm.start()) {
      AgentEndpoint endpoint = AgentEndpoint.of(host);
      await("a buffer is served")
          .atMost(PATIENCE)
          .until(
              () -> {
                host.order("buffer");
                return endpoint.sum("cistern_served_allocations_total") > 0;
              });
      await("all memory has been freed")
          .atMost(PATIENCE)
          .pollInterval(Duration.ofSeconds(1))
          .until(() -> endpoint.sum("cistern_reserved_bytes") == 0);
      Cost cost = measure(line, host);
      for (int window = 1; window < MAX_WINDOWS && !cost.isWithinBars(); window++) {
        assertThat(endpoint.sum("cistern_up")).isPositive();
        cost = cost.least(measure(line, host));
      }
      assertThat(cost.ofAgent).isLessThanOrEqualTo(MILLIS_PER_MINUTE);
      assertThat(cost.ofEndpoint).isBetween(0.0, MILLIS_OF_ENDPOINT_PER_MINUTE);
    }
  }

  /** CPU time in milliseconds per minute. */
  private record Cost(double ofAgent, double ofEndpoint) {
    boolean isWithinBars() {
      return ofAgent <= MILLIS_PER_MINUTE && ofEndpoint <= MILLIS_OF_ENDPOINT_PER_MINUTE;
    }

    Cost least(Cost other) {
      return new Cost(Math.min(ofAgent, other.ofAgent), Math.min(ofEndpoint, other.ofEndpoint));
    }
  }

  private static Cost measure(String line, RunningHost host) throws Exception {
    long beginNanos = System.nanoTime();
    long agentBefore = cpuNanos(host, "cistern-agent");
    long endpointBefore = cpuNanos(host, "cistern-exporter"); // its client keeps the connection
    assertThat(endpointBefore).isPositive();
    await().pollDelay(MEASURED).atMost(MEASURED.plus(PATIENCE)).until(() -> true);
    double minutes = (System.nanoTime() - beginNanos) / (double) TimeUnit.MINUTES.toNanos(1);
    double ofAgent = (cpuNanos(host, "cistern-agent") - agentBefore) / 1e6 / minutes;
    double ofEndpoint = (cpuNanos(host, "cistern-exporter") - endpointBefore) / 1e6 / minutes;
    System.out.printf(
        Locale.ROOT,
        "Netty %s, ms a minute: agent %.1f, endpoint %.1f%n",
        line,
        ofAgent,
        ofEndpoint);
    return new Cost(ofAgent, ofEndpoint);
  }

  private static long cpuNanos(RunningHost host, String threads) throws Exception {
    return Long.parseLong(host.order("cpu " + threads));
  }

  private Path jar() throws Exception {
    Path jar = folder.resolve("crowd.jar");
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out)) {
      for (int i = 0; i < CLASSES; i++) {
        ClassWriter type = new ClassWriter(0);
        type.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, "crowd/C" + i, null, "java/lang/Object", null);
        entries.putNextEntry(new ZipEntry("crowd/C" + i + ".class"));
        entries.write(type.toByteArray());
      }
    }
    return jar;
  }
}
