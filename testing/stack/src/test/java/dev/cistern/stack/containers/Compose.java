/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stack.containers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.testing.Tool;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code docker compose} with compose.yaml, in a separate project for the test. */
final class Compose {
  /** All services except Grafana, whose image is not available without a registry. */
  static final List<String> SERVICES = List.of("agent", "demo", "traffic", "sidecar", "prometheus");

  private static final Pattern ADDRESS = Pattern.compile("127[.]0[.]0[.]1:([1-9]\\d*)");

  private final List<String> command = command();
  private final String project = "cistern-test-" + Long.toHexString(System.nanoTime());
  private final int prometheusPort;

  /** Creates a project with ports that Docker chooses. */
  Compose() throws IOException, InterruptedException {
    this(0);
  }

  /** Creates a project with this port for Prometheus. */
  Compose(int prometheusPort) throws IOException, InterruptedException {
    this.prometheusPort = prometheusPort;
  }

  /** Returns the command of Compose: the plug-in of the docker command, or the older command. */
  private static List<String> command() throws IOException, InterruptedException {
    List<String> plugin = List.of("docker", "compose");
    return Docker.call(List.of("docker", "compose", "version")).status() == 0
        ? plugin
        : List.of(Tool.path("docker-compose", "docker-compose"));
  }

  String project() {
    return project;
  }

  int sidecarPort() throws IOException, InterruptedException {
    return port("sidecar", 9472);
  }

  int prometheusPort() throws IOException, InterruptedException {
    return port("prometheus", 9090);
  }

  /** Returns the port of this machine that Docker chose for a port of a running service. */
  private int port(String service, int inside) throws IOException, InterruptedException {
    String printed = call("port", service, String.valueOf(inside)).printed();
    Matcher address = ADDRESS.matcher(printed);
    assertThat(address.find()).as(printed).isTrue();
    return Integer.parseInt(address.group(1));
  }

  /** Runs a command of compose with the project's own file. */
  Tool.Outcome call(String... arguments) throws IOException, InterruptedException {
    return callWith("docker/compose.yaml", arguments);
  }

  /** Runs a command with another file, which is treated as if it were in the same directory. */
  Tool.Outcome callWith(String file, String... arguments) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(command);
    words.addAll(List.of("--project-directory", "docker", "-f", file));
    words.addAll(List.of(arguments));
    return Docker.call(
        words,
        Map.of(
            "COMPOSE_PROJECT_NAME",
            project,
            "CISTERN_VERSION",
            "test",
            "CISTERN_SIDECAR_PORT",
            "0",
            "CISTERN_PROMETHEUS_PORT",
            "" + prometheusPort));
  }

  void run(String... arguments) throws IOException, InterruptedException {
    Tool.Outcome outcome = call(arguments);
    assertThat(outcome.status()).as(outcome.printed()).isZero();
  }

  void up() throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of("up", "-d"));
    words.addAll(SERVICES);
    run(words.toArray(new String[0]));
  }

  void down() throws IOException, InterruptedException {
    run("down", "-v", "--remove-orphans");
  }
}
