/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stack.containers;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.HostConfig;
import dev.cistern.testing.Repository;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;

/**
 * Hosts, a sidecar and a Prometheus on one network, with the restrictions of compose.yaml: no root,
 * no capabilities, a read-only root file system.
 */
final class Stack {
  static final int SIDECAR_PORT = 9472;
  static final int APPLICATION_PORT = 8080;
  static final int PROMETHEUS_PORT = 9090;

  private static final String STATS = "/var/run/cistern";
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String LOGIN =
      "Basic "
          + Base64.getEncoder().encodeToString("cistern:cistern".getBytes(StandardCharsets.UTF_8));

  private final HttpClient client = HttpClient.newHttpClient();
  private final Network network = Network.newNetwork();
  private final String stats =
      volume(
          "stats",
          "--opt",
          "type=tmpfs",
          "--opt",
          "device=tmpfs",
          "--opt",
          "o=size=64m,uid=10001,gid=10001,mode=3770");
  private final String postMortems = volume("postmortems");
  private final List<GenericContainer<?>> containers = new ArrayList<>();
  private final List<String> volumes = new ArrayList<>(List.of(stats, postMortems));

  private static String volume(String name, String... options) {
    List<String> arguments = new ArrayList<>(List.of("volume", "create", "--driver", "local"));
    arguments.addAll(List.of(options));
    arguments.add("cistern-test-" + name + "-" + Long.toHexString(System.nanoTime()));
    try {
      return Docker.run(arguments.toArray(new String[0]));
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Creates a volume with an agent's jar, copied as by an init container. */
  String agent(String image) throws IOException, InterruptedException {
    String volume = volume("agent");
    volumes.add(volume);
    Docker.run(
        "run", "--rm", "--read-only", "--cap-drop", "ALL", "-v", volume + ":/cistern", image);
    return volume;
  }

  GenericContainer<?> sidecar(String image) {
    GenericContainer<?> sidecar =
        contained(
                image,
                128,
                stats + ":" + STATS,
                postMortems + ":/var/lib/cistern",
                file("docker/compose/sidecar", "/etc/cistern"))
            .withNetworkAliases("sidecar")
            .withEnv("CISTERN_WEB_CONFIG", "/etc/cistern/web.yml")
            .withExposedPorts(SIDECAR_PORT)
            .waitingFor(Wait.forHttp("/-/ready").withStartupTimeout(LIMIT));
    sidecar.start();
    return sidecar;
  }

  GenericContainer<?> prometheus(String image) {
    GenericContainer<?> prometheus =
        contained(
                image,
                512,
                file("docker/compose/prometheus", "/etc/prometheus"),
                file("dashboards/rules.yaml", "/etc/cistern/rules.yaml"),
                file("dashboards/alerts.yaml", "/etc/cistern/alerts.yaml"))
            .withTmpFs(Map.of("/prometheus", "mode=1777"))
            .withCommand(
                "--config.file=/etc/prometheus/prometheus.yml", "--storage.tsdb.path=/prometheus")
            .withExposedPorts(PROMETHEUS_PORT)
            .waitingFor(Wait.forHttp("/-/ready").withStartupTimeout(LIMIT));
    prometheus.start();
    return prometheus;
  }

  /**
   * Starts an application with the agent of {@code agentVolume}, and waits for its ready line.
   *
   * @param name value of the label {@code application}
   * @param memoryMegabytes the container's limit
   */
  GenericContainer<?> host(String image, String agentVolume, String name, int memoryMegabytes) {
    return host(image, agentVolume, name, memoryMegabytes, "128m");
  }

  GenericContainer<?> host(
      String image, String agentVolume, String name, int memoryMegabytes, String directMemory) {
    GenericContainer<?> host =
        contained(image, memoryMegabytes, stats + ":" + STATS, agentVolume + ":/cistern:ro")
            .withEnv(
                "JAVA_TOOL_OPTIONS",
                "-javaagent:/cistern/cistern-agent.jar -Xmx64m -XX:TieredStopAtLevel=1"
                    + " -XX:MaxDirectMemorySize="
                    + directMemory)
            .withEnv("CISTERN_APPLICATION", name)
            .withEnv("CISTERN_CONTAINER", name)
            .withEnv("CISTERN_STATS_DIRECTORY", STATS)
            .withEnv("CISTERN_LISTEN", "none")
            // The pool then touches memory when it reserves it, so that the limit applies.
            .withEnv("CISTERN_ZERO_CHUNKS", "true")
            .withExposedPorts(APPLICATION_PORT)
            .waitingFor(Wait.forLogMessage(".*ready http=8080.*", 1).withStartupTimeout(LIMIT));
    host.start();
    return host;
  }

  private GenericContainer<?> contained(String image, int memoryMegabytes, String... binds) {
    GenericContainer<?> container = new GenericContainer<>(image);
    container
        .withNetwork(network)
        .withCreateContainerCmdModifier(
            command -> {
              HostConfig config = requireNonNull(command.getHostConfig());
              List<Bind> all = new ArrayList<>();
              for (String bind : binds) {
                all.add(Bind.parse(bind));
              }
              config
                  .withBinds(all.toArray(new Bind[0]))
                  .withReadonlyRootfs(true)
                  .withCapDrop(Capability.ALL)
                  .withSecurityOpts(List.of("no-new-privileges"))
                  .withMemory(memoryMegabytes * 1_048_576L)
                  .withMemorySwap(memoryMegabytes * 1_048_576L);
            });
    containers.add(container);
    return container;
  }

  private static String file(String path, String inside) {
    return Repository.path(path) + ":" + inside + ":ro";
  }

  /** Makes a GET request with the login of compose's web configuration. */
  HttpResponse<String> get(GenericContainer<?> container, int port, String path)
      throws IOException, InterruptedException {
    return client.send(
        request(container, port, path).header("Authorization", LOGIN).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  HttpResponse<String> getWithoutLogin(GenericContainer<?> container, int port, String path)
      throws IOException, InterruptedException {
    return client.send(
        request(container, port, path).build(), HttpResponse.BodyHandlers.ofString());
  }

  private static HttpRequest.Builder request(GenericContainer<?> container, int port, String path) {
    return HttpRequest.newBuilder(
            URI.create(
                "http://" + container.getHost() + ":" + container.getMappedPort(port) + path))
        .timeout(LIMIT);
  }

  /** Removes everything, even after a failure. */
  void stop() {
    List<AutoCloseable> all = new ArrayList<>();
    containers.forEach(container -> all.add(container::stop));
    all.add(network);
    volumes.forEach(volume -> all.add(() -> Docker.run("volume", "rm", volume)));
    List<Throwable> failures = new ArrayList<>();
    for (AutoCloseable each : all) {
      try {
        each.close();
      } catch (Exception | AssertionError e) {
        failures.add(e);
      }
    }
    assertThat(failures).isEmpty();
  }
}
