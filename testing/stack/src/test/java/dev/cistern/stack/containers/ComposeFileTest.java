/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stack.containers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.testing.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Checks that compose.yaml and the files that it mounts, including Grafana's, are consistent. */
class ComposeFileTest {
  private static final Path DOCKER = Repository.path("docker");
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{(\\w+)}");
  private static final Pattern FROM_ARGUMENT = Pattern.compile("(?m)^ARG (\\w+)=(\\S+)$");

  private final Map<String, Map<String, Object>> services = services();

  /**
   * Returns the services. It does not resolve merges ({@code <<}), which the tests of the
   * containers cover.
   */
  private static Map<String, Map<String, Object>> services() {
    return map(map(yaml(DOCKER.resolve("compose.yaml"))).get("services"));
  }

  private static Object yaml(Path file) {
    try {
      LoadSettings settings = LoadSettings.builder().build();
      return new Load(settings).loadFromString(Files.readString(file));
    } catch (IOException e) {
      throw new AssertionError(file + " cannot be read", e);
    }
  }

  @SuppressWarnings("unchecked")
  private static <V> Map<String, V> map(Object object) {
    assertThat(object).isInstanceOf(Map.class);
    return (Map<String, V>) Objects.requireNonNull(object);
  }

  @SuppressWarnings("unchecked")
  private static List<String> list(Object object) {
    return object == null ? List.of() : (List<String>) object;
  }

  /** Returns the paths of the project by their mount paths in a service's container. */
  private Map<String, String> mounts(String service) {
    Map<String, String> mounts = new HashMap<>();
    for (String volume : list(services.get(service).get("volumes"))) {
      String[] parts = volume.split(":", -1);
      if (parts[0].startsWith(".")) {
        mounts.put(parts[1], parts[0]);
      }
    }
    return mounts;
  }

  @Test
  void everyMountedFileExists() {
    for (String service : services.keySet()) {
      mounts(service)
          .forEach(
              (inside, outside) ->
                  assertThat(DOCKER.resolve(outside)).as(service + ": " + inside).exists());
    }
    assertThat(mounts("grafana")).isNotEmpty();
  }

  @Test
  void grafanaFindsItsDashboardsAndItsDataSource() {
    Map<String, String> mounts = mounts("grafana");
    String provisioning = mounts.get("/etc/grafana/provisioning");
    Map<String, Object> providers =
        map(yaml(DOCKER.resolve(provisioning).resolve("dashboards/cistern.yaml")));
    Map<String, Object> provider = map(((List<?>) providers.get("providers")).get(0));
    String path = (String) map(provider.get("options")).get("path");
    assertThat(mounts).containsKey(path);
    Path dashboards = DOCKER.resolve(mounts.get(path));
    for (String file : List.of("overview.json", "jvm.json", "leaks.json")) {
      assertThat(dashboards.resolve(file)).exists();
    }
    assertThat(services.get("grafana").get("environment").toString())
        .contains("GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH=" + path + "/overview.json");

    Map<String, Object> sources =
        map(yaml(DOCKER.resolve(provisioning).resolve("datasources/prometheus.yaml")));
    Map<String, Object> source = map(((List<?>) sources.get("datasources")).get(0));
    assertThat(source).containsEntry("type", "prometheus").containsEntry("isDefault", true);
    assertThat(source.get("url")).isEqualTo("http://prometheus:9090");
    assertThat(services).containsKey("prometheus");
  }

  @Test
  void prometheusScrapesTheSidecarAndHasTheRules() {
    Map<String, String> mounts = mounts("prometheus");
    Map<String, Object> config =
        map(yaml(DOCKER.resolve(mounts.get("/etc/prometheus")).resolve("prometheus.yml")));
    assertThat(config.toString()).contains("targets=[sidecar:9472]");
    assertThat(list(config.get("rule_files"))).hasSize(2).allMatch(mounts::containsKey);
  }

  /**
   * Checks the variables of .env. Variables of the shell override them; an undefined name would
   * silently be empty.
   */
  @Test
  void everyVariableHasItsValueAndEveryImageItsTag() throws IOException {
    Map<String, String> values = new HashMap<>();
    for (String line : Files.readAllLines(DOCKER.resolve(".env"))) {
      if (line.contains("=") && !line.startsWith("#")) {
        values.put(line.substring(0, line.indexOf('=')), line.substring(line.indexOf('=') + 1));
      }
    }
    Matcher variables = VARIABLE.matcher(Files.readString(DOCKER.resolve("compose.yaml")));
    List<String> named = new ArrayList<>();
    while (variables.find()) {
      named.add(variables.group(1));
    }
    assertThat(values.keySet()).containsAll(named);
    assertThat(named).contains("BASE_JRE", "BASE_SMALL", "PROMETHEUS_IMAGE", "GRAFANA_IMAGE");
    for (String image : List.of("BASE_JRE", "BASE_SMALL", "PROMETHEUS_IMAGE", "GRAFANA_IMAGE")) {
      assertThat(values.get(image)).as(image).matches("[a-z/-]+:v?\\d+\\.\\d+[^:]*");
    }
    assertThat(defaultOf("demo", "BASE")).isEqualTo(values.get("BASE_JRE"));
    assertThat(defaultOf("sidecar", "BASE")).isEqualTo(values.get("BASE_JRE"));
    assertThat(defaultOf("agent", "BASE")).isEqualTo(values.get("BASE_SMALL"));
  }

  private static String defaultOf(String image, String argument) throws IOException {
    Matcher arguments =
        FROM_ARGUMENT.matcher(
            Files.readString(DOCKER.resolve("images").resolve(image).resolve("Dockerfile")));
    while (arguments.find()) {
      if (arguments.group(1).equals(argument)) {
        return arguments.group(2);
      }
    }
    throw new AssertionError(image + "'s Dockerfile has no argument " + argument);
  }
}
