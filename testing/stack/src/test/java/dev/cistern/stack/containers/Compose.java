/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stack.containers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.exporter.Tool;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** {@code docker compose} with compose.yaml, in a project and on ports of the test's own. */
final class Compose {
  /** All but Grafana, whose image cannot be had without a registry. */
  static final List<String> SERVICES = List.of("agent", "demo", "traffic", "sidecar", "prometheus");

  private final List<String> command = command();
  private final String project = "cistern-test-" + Long.toHexString(System.nanoTime());
  private final int sidecarPort = freePort();
  private final int prometheusPort = freePort();

  Compose() throws IOException, InterruptedException {}

  /** The plug-in of the docker command, or the command that came before it. */
  private static List<String> command() throws IOException, InterruptedException {
    List<String> plugin = List.of("docker", "compose");
    return Docker.call(List.of("docker", "compose", "version")).status() == 0
        ? plugin
        : List.of(Tool.path("docker-compose", "docker-compose"));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  String project() {
    return project;
  }

  int sidecarPort() {
    return sidecarPort;
  }

  int prometheusPort() {
    return prometheusPort;
  }

  /** Runs a command of compose with the project's own file. */
  Tool.Outcome call(String... arguments) throws IOException, InterruptedException {
    return callWith("docker/compose.yaml", arguments);
  }

  /** Runs a command with another file, which is taken to be in the same place. */
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
            "" + sidecarPort,
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
