/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stack.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.testing.Tool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks how the agent allocates native memory in a container, and its log if it cannot map memory.
 */
@Timeout(180)
class MappedMemoryIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String SERVES = "cistern: serves io.netty ";
  private static final String CONSEQUENCE =
      "; malloc allocates chunks: freed ones return to the system, but each takes more than 32 MiB"
          + " of address space";

  private static String demo;
  private static String volume;

  private final List<String> containers = new ArrayList<>();

  @BeforeAll
  @Timeout(600)
  static void build() throws Exception {
    Docker.require();
    demo = Docker.build("demo", Docker.base("BASE_JRE"));
    String agent = Docker.build("agent", Docker.base("BASE_SMALL"));
    volume =
        Docker.run("volume", "create", "cistern-test-agent-" + Long.toHexString(System.nanoTime()));
    Docker.run("run", "--rm", "-v", volume + ":/cistern", agent);
  }

  @AfterAll
  static void removeVolume() throws Exception {
    if (volume != null) {
      Docker.run("volume", "rm", volume);
    }
  }

  @AfterEach
  void removeContainers() throws Exception {
    for (String container : containers) {
      Docker.run("rm", "-f", container);
    }
  }

  @Test
  void memoryIsMappedUnderDockersOwnProfile() throws Exception {
    String container = start(List.of(), List.of(demo));
    assertThat(inside(container, "cat /proc/1/status")).contains("Seccomp:\t2");
    String log = awaitServed(container);
    assertThat(log).contains("memory by mmap_jdk)").doesNotContain("cannot map");
    assertThat(mappings(container)).isPositive();
  }

  @Test
  void theApplicationIsServedWithoutTheDevice() throws Exception {
    List<String> command =
        new ArrayList<>(List.of(demo, "-c", "rm /dev/zero && exec \"$@\"", "sh"));
    command.addAll(
        Docker.run("inspect", "--format", "{{join .Config.Entrypoint \"\\n\"}}", demo)
            .lines()
            .toList());
    String container = start(List.of("--user", "0", "--entrypoint", "sh"), command);
    assertServedByMalloc(container, "/dev/zero is missing or not readable");
  }

  @Test
  void theApplicationIsServedIfTheDeviceCannotBeMapped() throws Exception {
    assertServedWithout("/dev/null");
  }

  /**
   * Replaces the device with a file that can be mapped, but whose memory beyond its end cannot be
   * used.
   */
  @Test
  void theApplicationIsServedIfAFileOfZerosIsInThePlaceOfTheDevice(@TempDir Path folder)
      throws Exception {
    Path file = Files.write(folder.resolve("zeros"), new byte[64 << 10]);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertServedWithout(file.toString());
  }

  private void assertServedWithout(String inThePlace) throws Exception {
    String mount = "type=bind,src=" + inThePlace + ",dst=/dev/zero";
    String container = start(List.of("--mount", mount), List.of(demo));
    assertServedByMalloc(container, "the system or this JDK does not permit to map /dev/zero");
  }

  private String start(List<String> options, List<String> command) throws Exception {
    List<String> words =
        new ArrayList<>(
            List.of(
                "run",
                "-d",
                "--read-only",
                "--cap-drop",
                "ALL",
                "--security-opt",
                "no-new-privileges",
                "-v",
                volume + ":/cistern:ro",
                "-e",
                "JAVA_TOOL_OPTIONS=-javaagent:/cistern/cistern-agent.jar -Xmx64m"
                    + " -XX:TieredStopAtLevel=1 -XX:MaxDirectMemorySize=128m",
                "-e",
                "CISTERN_LISTEN=none"));
    words.addAll(options);
    words.addAll(command);
    String container = Docker.run(words.toArray(new String[0]));
    containers.add(container);
    return container;
  }

  private static void assertServedByMalloc(String container, String cause) throws Exception {
    String log = awaitServed(container);
    assertThat(log)
        .contains("memory by malloc_mmap)")
        .contains("cistern: cannot map native memory: " + cause + CONSEQUENCE);
    assertThat(mappings(container)).isZero();
  }

  /** Sends a request to the application, and returns its log. */
  private static String awaitServed(String container) {
    return await()
        .atMost(LIMIT)
        .until(
            () -> {
              String log = Docker.run("logs", container);
              if (log.contains("ready http=8080")) {
                // The status is ignored, because the server may not respond yet.
                Tool.Outcome unused =
                    Docker.call(
                        List.of(
                            "docker", "exec", container, "/opt/demo/probe", "8080", "/plaintext"));
              }
              return log;
            },
            log -> log.contains(SERVES));
  }

  private static int mappings(String container) throws Exception {
    return Integer.parseInt(inside(container, "grep -c /dev/zero /proc/1/maps || true"));
  }

  private static String inside(String container, String command) throws Exception {
    return Docker.run("exec", container, "sh", "-c", command);
  }
}
