/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stack.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.stack.runtime.Started;
import dev.cistern.testing.Repository;
import dev.cistern.testing.Tool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the demo overlay without a cluster: its two JVMs as processes, with the environment of the
 * manifest, its Secrets, and directories instead of its volumes.
 */
class ManifestRunIT {
  private static final String DIRECTORY = "docker/kubernetes/overlays/demo";
  private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");
  private static final Pattern SERVES = Pattern.compile("http[^ ]*://[^ ]*:(\\d+)/metrics");

  /** The login in docker/compose/sidecar/web.yml. */
  private static final String OTHER_LOGIN = "cistern:cistern";

  @TempDir Path root;

  @BeforeAll
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  static void fetch() {
    Kustomize.fetch();
  }

  @Test
  void prometheusLogsInAndSeesThePodAndHowItsContainerWasKilled() throws Exception {
    Node pod = pod();
    makeVolumes(pod);
    String login =
        secret("cistern-scrape", "username") + ":" + secret("cistern-scrape", "password");
    try (Started sidecar = startSidecar(pod);
        Started application = startApplication(pod)) {
      String address = "http://127.0.0.1:" + sidecar.awaitLine(SERVES);
      assertThat(Started.get(address + "/-/healthy", "").statusCode()).isEqualTo(200);
      assertThat(Started.get(address + "/metrics", "").statusCode()).isEqualTo(401);
      assertThat(Started.get(address + "/leaks", "").statusCode()).isEqualTo(401);
      assertThat(Started.get(address + "/metrics", login + "x").statusCode()).isEqualTo(401);
      awaitMetrics(address, login, "cistern_host_info\\{.*pod=\"demo-7d9\".*} 1");
      awaitMetrics(address, login, "cistern_host_up\\{.*} 1");
      assertThat(Started.get(address + "/live", login).statusCode()).isEqualTo(200);
      application.kill();
      awaitMetrics(address, login, "cistern_host_up\\{.*} 0");
      assertThat(Started.get(address + "/postmortem/", login).body()).contains("demo");
      assertThat(sidecar.residentBytes()).isLessThan(limitBytes(pod));
    }
  }

  @Test
  void aNewPasswordIsTakenUpWithoutARestart() throws Exception {
    Node pod = pod();
    makeVolumes(pod);
    String login =
        secret("cistern-scrape", "username") + ":" + secret("cistern-scrape", "password");
    try (Started sidecar = startSidecar(pod)) {
      String page = "http://127.0.0.1:" + sidecar.awaitLine(SERVES) + "/metrics";
      assertThat(Started.get(page, login).statusCode()).isEqualTo(200);
      assertThat(Started.get(page, OTHER_LOGIN).statusCode()).isEqualTo(401);
      Path other = Repository.path("docker/compose/sidecar/web.yml");
      putSecret(volume("cistern-web"), "second", Files.readString(other));
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> Started.get(page, OTHER_LOGIN).statusCode() == 200);
      assertThat(Started.get(page, login).statusCode()).isEqualTo(401);
    }
  }

  private void awaitMetrics(String address, String login, String line) {
    Pattern pattern = Pattern.compile("^" + line, Pattern.MULTILINE);
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(Started.get(address + "/metrics", login).body())
                    .containsPattern(pattern));
  }

  private Started startSidecar(Node pod) throws IOException {
    Node sidecar = pod.named("initContainers", "cistern-sidecar");
    Map<String, String> environment = new Volumes(root).environment(sidecar);
    environment.put("CISTERN_LISTEN", "127.0.0.1:0");
    String options = "@" + Repository.path("bin/sidecar.options");
    return Started.start(
        root.resolve("sidecar.log"),
        environment,
        List.of(JAVA.toString(), options, "-jar", System.getProperty("cistern.exporter")));
  }

  private Started startApplication(Node pod) throws IOException {
    Path target = Path.of(System.getProperty("cistern.demo.target"));
    String classes = target.resolve("cistern-demo.jar") + ":" + target.resolve("netty-4.1") + "/*";
    List<String> command = new ArrayList<>(List.of(JAVA.toString(), "-cp", classes));
    command.addAll(List.of("example.app.Server", "--port", "0", "--tls-port", "none"));
    Started started =
        Started.start(
            root.resolve("application.log"),
            new Volumes(root).environment(pod.list("containers").get(0)),
            command);
    started.awaitLine(Pattern.compile("(.*)", Pattern.DOTALL));
    return started;
  }

  private void makeVolumes(Node pod) throws IOException, InterruptedException {
    for (Node volume : pod.list("volumes")) {
      Files.createDirectory(volume(volume.text("name")));
    }
    Node agent = pod.named("initContainers", "cistern-agent");
    Volumes volumes = new Volumes(root);
    ProcessBuilder copy =
        new ProcessBuilder(volumes.command(agent, System.getProperty("cistern.agent")));
    copy.environment().putAll(volumes.environment(agent));
    Tool.Outcome outcome = Tool.run(copy, 30);
    assertThat(outcome.status()).as(outcome.printed()).isZero();
    Path web = volume("cistern-web");
    putSecret(web, "first", secret("cistern-web", "web.yml"));
    Files.createSymbolicLink(web.resolve("web.yml"), Path.of("..data", "web.yml"));
  }

  /**
   * Writes a secret as Kubernetes does: a directory for each version, and a link that is replaced
   * atomically.
   */
  private static void putSecret(Path volume, String version, String content) throws IOException {
    Files.writeString(
        Files.createDirectory(volume.resolve(".." + version)).resolve("web.yml"), content);
    Path link = Files.createSymbolicLink(volume.resolve("..data_tmp"), Path.of(".." + version));
    Files.move(link, volume.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
  }

  private Path volume(String name) {
    return new Volumes(root).volume(name);
  }

  private static Node pod() {
    return Kustomize.object(DIRECTORY, "Deployment", "demo")
        .get("spec")
        .get("template")
        .get("spec");
  }

  private static String secret(String name, String key) {
    String encoded = Kustomize.object(DIRECTORY, "Secret", name).get("data").text(key);
    return new String(
        Base64.getDecoder().decode(encoded.replaceAll("\\s", "")), StandardCharsets.UTF_8);
  }

  private static long limitBytes(Node pod) {
    String limit =
        pod.named("initContainers", "cistern-sidecar")
            .get("resources")
            .get("limits")
            .text("memory");
    return Long.parseLong(limit.replace("Mi", "")) << 20;
  }
}
