/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stack.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.testing.Repository;
import dev.cistern.testing.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * Checks that the cluster receives all committed rules and dashboards unchanged. The first test may
 * have to compile kustomize.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@Tag("full")
class MonitoringTest {
  private static final String DIRECTORY = "docker/kubernetes/monitoring";
  private static final Path DASHBOARDS = Repository.path("dashboards");

  /**
   * The size limit of all annotations. In one of them, kubectl apply keeps a copy of the object.
   */
  private static final long LIMIT_BYTES = 256L << 10;

  @Test
  void theGeneratedFilesAreFresh(@TempDir Path work) throws Exception {
    String script = Repository.path(DIRECTORY + "/generate").toString();
    Tool.Outcome outcome = Tool.run(new ProcessBuilder(script, "--check"), 30);
    assertThat(outcome.status()).as(outcome.printed()).isZero();
  }

  @Test
  void everyRuleIsInARuleObject() throws IOException {
    int files = 0;
    for (Path file : files(".yaml")) {
      Object read = new Load(LoadSettings.builder().build()).loadFromString(Files.readString(file));
      Node rules = new Node(read, file.toString());
      if (rules.has("groups")) {
        Node object = Kustomize.object(DIRECTORY, "PrometheusRule", "cistern-" + name(file));
        assertThat(object.get("spec").get("groups").value()).isEqualTo(rules.get("groups").value());
        files++;
      }
    }
    assertThat(files).isPositive();
  }

  @Test
  void everyDashboardIsInAConfigMapForTheSideLoader() throws IOException {
    List<Path> dashboards = files(".json");
    assertThat(dashboards).isNotEmpty();
    for (Path file : dashboards) {
      Node object = Kustomize.object(DIRECTORY, "ConfigMap", "cistern-dashboard-" + name(file));
      assertThat(object.get("metadata").get("labels").text("grafana_dashboard")).isEqualTo("1");
      assertThat(object.get("data").text(file.getFileName().toString()))
          .isEqualTo(Files.readString(file));
      assertThat(escapedBytes(file)).as(file.toString()).isLessThan(LIMIT_BYTES);
    }
  }

  /** Returns the size of a text as a JSON string. */
  private static long escapedBytes(Path file) throws IOException {
    String text = Files.readString(file);
    return Files.size(file) + text.chars().filter(c -> "\"\\\n".indexOf(c) >= 0).count();
  }

  private static List<Path> files(String ending) throws IOException {
    try (Stream<Path> files = Files.list(DASHBOARDS)) {
      return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
    }
  }

  private static String name(Path file) {
    return file.getFileName().toString().replaceFirst("[.][a-z]+$", "");
  }
}
