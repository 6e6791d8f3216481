/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stack.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Checks the size of the images, and their restrictions. */
@Timeout(180)
class ImagesIT {
  private static final long MEBIBYTE = 1L << 20;
  private static final String JRE = Docker.base("BASE_JRE");
  private static final String SMALL = Docker.base("BASE_SMALL");

  @BeforeAll
  @Timeout(600)
  static void engine() throws Exception {
    Docker.require();
  }

  private static void assertSmall(String image, String base) throws Exception {
    long above = Docker.bytes(image) - Docker.bytes(base);
    System.out.printf("%s: %.1f MiB above %s%n", image, above / (double) MEBIBYTE, base);
    assertThat(above).isBetween(1L, 120 * MEBIBYTE);
  }

  @Test
  void hostSidecarAndAgentAddLittleToTheirBase() throws Exception {
    assertSmall(Docker.build("demo", JRE), JRE);
    assertSmall(Docker.build("sidecar", JRE), JRE);
    assertSmall(Docker.build("agent", SMALL), SMALL);
  }

  @Test
  void aSidecarOnARuntimeOfItsOwnIsSmallAndServes() throws Exception {
    String runtime =
        Docker.build("runtime", "runtime", "JDK=" + Docker.base("BASE_JDK"), "BASE=" + SMALL);
    String image = Docker.build("sidecar", "sidecar-jlink", "BASE=" + runtime);
    long bytes = Docker.bytes(image);
    System.out.printf("%s: %.1f MiB in all%n", image, bytes / (double) MEBIBYTE);
    assertThat(bytes).isLessThan(250 * MEBIBYTE);
    assertBecomesHealthy(image);
  }

  @Test
  void hostAndSidecarBecomeHealthyWithoutRootOrAWritableRoot() throws Exception {
    assertBecomesHealthy(Docker.build("demo", JRE));
    assertBecomesHealthy(Docker.build("sidecar", JRE));
  }

  private static void assertBecomesHealthy(String image) throws Exception {
    String container =
        Docker.run(
            "run",
            "-d",
            "--rm",
            "--read-only",
            "--cap-drop",
            "ALL",
            "--security-opt",
            "no-new-privileges",
            "--health-interval",
            "1s",
            image);
    try {
      assertThat(Docker.run("exec", container, "id", "-u")).isEqualTo("10001");
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> inspect(container, "{{.State.Health.Status}}").equals("healthy"));
    } finally {
      Docker.run("kill", container);
    }
  }

  private static String inspect(String container, String format) throws Exception {
    return Docker.run("inspect", "--format", format, container);
  }

  /** Checks that the health check can fail. */
  @Test
  void aContainerThatDoesNotServeIsUnhealthy() throws Exception {
    String image = Docker.build("sidecar", JRE);
    String container =
        Docker.run(
            "run",
            "-d",
            "--rm",
            "--read-only",
            "--health-interval",
            "1s",
            "--health-retries",
            "1",
            "--entrypoint",
            "sleep",
            image,
            "60");
    try {
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> inspect(container, "{{.State.Health.Status}}").equals("unhealthy"));
    } finally {
      Docker.run("kill", container);
    }
  }
}
