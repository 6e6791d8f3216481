/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stack.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.testing.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Checks beyond the schemas: the pod is confined, and its parts are consistent. */
@Tag("full")
class ManifestTest {
  private static final String DIRECTORY = "docker/kubernetes/overlays/demo";

  @BeforeAll
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  static void fetch() {
    Kustomize.fetch();
  }

  @Test
  void everyContainerIsConfined() {
    Node pod = pod();
    for (Node container : containers()) {
      Node context = container.get("securityContext");
      assertThat(context.text("readOnlyRootFilesystem")).as(context.path()).isEqualTo("true");
      assertThat(context.text("allowPrivilegeEscalation")).as(context.path()).isEqualTo("false");
      assertThat(context.get("capabilities").get("drop").value()).isEqualTo(List.of("ALL"));
      Node user = context.has("runAsNonRoot") ? context : pod.get("securityContext");
      assertThat(user.text("runAsNonRoot")).as(user.path()).isEqualTo("true");
      assertThat(Long.parseLong(user.text("runAsUser"))).as(user.path()).isPositive();
      assertThat(user.get("seccompProfile").text("type")).isEqualTo("RuntimeDefault");
    }
    assertThat(pod.text("automountServiceAccountToken")).isEqualTo("false");
  }

  @Test
  void everyContainerHasRequestsAndLimitsAndAFixedImage() {
    assertThat(containers()).hasSize(3);
    for (Node container : containers()) {
      Node resources = container.get("resources");
      for (String resource : List.of("cpu", "memory")) {
        assertThat(resources.get("requests").text(resource)).isNotEmpty();
        assertThat(resources.get("limits").text(resource)).isNotEmpty();
      }
      assertThat(container.text("image")).matches("cistern/[a-z]+:\\d+[.]\\d+[.]\\d+");
      assertThat(container.text("imagePullPolicy")).isEqualTo("Never");
    }
  }

  @Test
  void theSidecarCannotHoldUpTheApplication() {
    Node sidecar = sidecar();
    assertThat(sidecar.text("restartPolicy")).isEqualTo("Always");
    assertThat(sidecar.get("livenessProbe").get("httpGet").text("path")).isEqualTo("/-/healthy");
    assertThat(sidecar.has("readinessProbe") || sidecar.has("startupProbe")).isFalse();
    Node application = application();
    for (String probe : List.of("startupProbe", "readinessProbe", "livenessProbe")) {
      assertThat(application.get(probe).get("httpGet").text("port")).isEqualTo("http");
    }
  }

  @Test
  void theApplicationAndTheSidecarShareADirectoryInMemory() {
    Node agent = pod().named("initContainers", "cistern-agent");
    for (Node container : List.of(application(), sidecar(), agent)) {
      assertThat(environment(container, "CISTERN_STATS_DIRECTORY"))
          .isEqualTo(container.named("volumeMounts", "cistern-stats").text("mountPath") + "/hosts");
    }
    Node volume = pod().named("volumes", "cistern-stats").get("emptyDir");
    assertThat(volume.text("medium")).isEqualTo("Memory");
    assertThat(mebibytes(volume.text("sizeLimit"))).isGreaterThanOrEqualTo(2 * 4);
  }

  @Test
  void postMortemsHaveRoomOnDisk() {
    String directory = environment(sidecar(), "CISTERN_POSTMORTEM_DIRECTORY");
    assertThat(sidecar().named("volumeMounts", "cistern-postmortem").text("mountPath"))
        .isEqualTo(directory);
    Node volume = pod().named("volumes", "cistern-postmortem").get("emptyDir");
    assertThat(volume.has("medium")).isFalse();
    String retained = environment(sidecar(), "CISTERN_RETENTION_BYTES");
    assertThat(retained).matches("\\d+m");
    assertThat(mebibytes(volume.text("sizeLimit")))
        .isGreaterThan(Long.parseLong(retained.replace("m", "")));
  }

  @Test
  void theAgentIsOnThePathOfTheApplication() throws IOException {
    String copied = pod().named("initContainers", "cistern-agent").text("image");
    assertThat(copied).startsWith("cistern/agent:");
    Node agent = pod().named("initContainers", "cistern-agent");
    String inImage = "/opt/cistern/cistern-agent.jar";
    assertThat(Files.readString(Repository.path("docker/images/agent/Dockerfile")))
        .contains(inImage);
    assertThat(agent.list("args").get(0).text())
        .contains(inImage)
        .contains(
            agent.named("volumeMounts", "cistern-agent").text("mountPath") + "/cistern-agent.jar");
    Node mount = application().named("volumeMounts", "cistern-agent");
    assertThat(mount.text("readOnly")).isEqualTo("true");
    assertThat(environment(application(), "JAVA_TOOL_OPTIONS"))
        .startsWith("-javaagent:" + mount.text("mountPath") + "/cistern-agent.jar ");
  }

  @Test
  void everyMountHasItsVolume() {
    Set<String> volumes =
        pod().list("volumes").stream().map(v -> v.text("name")).collect(Collectors.toSet());
    for (Node container : containers()) {
      assertThat(container.list("volumeMounts"))
          .isNotEmpty()
          .allMatch(mount -> volumes.contains(mount.text("name")));
    }
  }

  @Test
  void theSettingsExist() throws IOException {
    assertSettingsAreIn(application(), "docs/configuration.md");
    assertSettingsAreIn(sidecar(), "docs/sidecar.md");
  }

  private static void assertSettingsAreIn(Node container, String document) throws IOException {
    String text = Files.readString(Repository.path(document));
    List<String> names =
        container.list("env").stream()
            .map(variable -> variable.text("name"))
            .filter(name -> name.startsWith("CISTERN_"))
            .toList();
    assertThat(names)
        .contains("CISTERN_STATS_DIRECTORY")
        .allMatch(name -> text.contains("| `" + name + "` |"));
  }

  @Test
  void prometheusFindsTheSidecarAndLogsIn() {
    Node monitor = Kustomize.object(DIRECTORY, "PodMonitor", "cistern").get("spec");
    Node labels = deployment().get("spec").get("template").get("metadata").get("labels");
    assertThat(monitor.get("selector").get("matchLabels").value())
        .isEqualTo(Map.of("cistern.dev/sidecar", labels.text("cistern.dev/sidecar")));
    Node endpoint = monitor.list("podMetricsEndpoints").get(0);
    Node port = sidecar().named("ports", endpoint.text("port"));
    assertThat(environment(sidecar(), "CISTERN_LISTEN"))
        .isEqualTo("0.0.0.0:" + port.text("containerPort"));
    assertThat(labels.has(monitor.text("jobLabel"))).isTrue();
    // The label instance stays an address, which the links of the dashboards use.
    assertThat(endpoint.has("relabelings")).isFalse();
    for (String part : List.of("username", "password")) {
      Node key = endpoint.get("basicAuth").get(part);
      assertThat(Kustomize.object(DIRECTORY, "Secret", key.text("name")).get("data"))
          .matches(data -> data.has(key.text("key")), key.path());
    }
  }

  @Test
  void theLoginIsMountedFromItsSecret() {
    Node secret = pod().named("volumes", "cistern-web").get("secret");
    String file = secret.list("items").get(0).text("path");
    Node mount = sidecar().named("volumeMounts", "cistern-web");
    assertThat(mount.text("readOnly")).isEqualTo("true");
    assertThat(environment(sidecar(), "CISTERN_WEB_CONFIG"))
        .isEqualTo(mount.text("mountPath") + "/" + file);
    assertThat(Kustomize.object(DIRECTORY, "Secret", secret.text("secretName")).get("data"))
        .matches(data -> data.has(secret.list("items").get(0).text("key")));
    // The files belong to root, and to root's group if the pod has no fsGroup.
    assertThat(secret.text("defaultMode")).isEqualTo(String.valueOf(0444));
    assertThat(application().list("volumeMounts"))
        .noneMatch(other -> other.text("name").equals("cistern-web"));
  }

  private static Node deployment() {
    return Kustomize.object(DIRECTORY, "Deployment", "demo");
  }

  private static Node pod() {
    return deployment().get("spec").get("template").get("spec");
  }

  private static Node application() {
    return pod().list("containers").get(0);
  }

  private static Node sidecar() {
    return pod().named("initContainers", "cistern-sidecar");
  }

  private static List<Node> containers() {
    return Stream.concat(pod().list("initContainers").stream(), pod().list("containers").stream())
        .toList();
  }

  private static String environment(Node container, String name) {
    return container.named("env", name).text("value");
  }

  private static long mebibytes(String quantity) {
    assertThat(quantity).matches("\\d+Mi");
    return Long.parseLong(quantity.replace("Mi", ""));
  }
}
