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
import org.junit.jupiter.params.provider.CsvSource;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/** What the agent's thread takes from an application that does nothing. */
@Tag("alone")
class IdleCostIT {
  private static final long MILLIS_PER_MINUTE = 50;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration MEASURED = Duration.ofSeconds(20);

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({"4.1,0", "4.1,30000", "4.2,0", "4.2,30000"})
  void theAgentsThreadUsesFiftyMillisecondsAMinuteHoweverManyClassesThereAre(
      String line, int classes) throws Exception {
    HostJvm jvm =
        HostJvm.netty(line)
            .first(jar(classes))
            .main("example.host.Crowd")
            .argument(String.valueOf(classes))
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
      await("all memory has been given back")
          .atMost(PATIENCE)
          .pollInterval(Duration.ofSeconds(1))
          .until(() -> endpoint.sum("cistern_reserved_bytes") == 0);
      long beginNanos = System.nanoTime();
      long before = cpuNanos(host);
      await().pollDelay(MEASURED).atMost(MEASURED.plus(PATIENCE)).until(() -> true);
      double minutes = (System.nanoTime() - beginNanos) / (double) TimeUnit.MINUTES.toNanos(1);
      double millis = (cpuNanos(host) - before) / 1e6 / minutes;
      System.out.printf(
          Locale.ROOT, "Netty %s, %d classes: %.1f ms a minute%n", line, classes, millis);
      assertThat(millis).isLessThanOrEqualTo(MILLIS_PER_MINUTE);
    }
  }

  private static long cpuNanos(RunningHost host) throws Exception {
    return Long.parseLong(host.order("cpu cistern-agent"));
  }

  private Path jar(int classes) throws Exception {
    Path jar = folder.resolve("crowd.jar");
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out)) {
      for (int i = 0; i < classes; i++) {
        ClassWriter type = new ClassWriter(0);
        type.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, "crowd/C" + i, null, "java/lang/Object", null);
        entries.putNextEntry(new ZipEntry("crowd/C" + i + ".class"));
        entries.write(type.toByteArray());
      }
      if (classes == 0) {
        entries.putNextEntry(new ZipEntry("none"));
      }
    }
    return jar;
  }
}
