/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stack.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Applies the component to unknown workloads. */
@Tag("full")
class WorkloadsTest {
  static final String DIRECTORY = "testing/stack/src/test/kubernetes/workloads";

  static final String MONITORED = "testing/stack/src/test/kubernetes/monitored";
  private static final String MODES = "testing/stack/src/test/kubernetes/modes";
  private static final String REFUSED = "testing/stack/src/test/kubernetes/refused";

  private static final String AGENT = "-javaagent:/opt/cistern/agent/cistern-agent.jar";

  @BeforeAll
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  static void fetch() {
    Kustomize.fetch();
  }

  @Test
  void flagsVolumesAndContainersOfTheTeamStay() {
    Node pod = pod("StatefulSet", "rich");
    Node shop = pod.list("containers").get(0);
    assertThat(shop.text("name")).isEqualTo("shop");
    assertThat(shop.named("env", "JAVA_TOOL_OPTIONS").text("value"))
        .isEqualTo(AGENT + " -Xmx1g -Dshop.colour=blue");
    assertThat(shop.named("env", "DATABASE").text("value")).isEqualTo("db.example:5432");
    assertThat(names(shop.list("volumeMounts")))
        .containsExactly("data", "cache", "cistern-agent", "cistern-stats");
    assertThat(names(pod.list("containers"))).containsExactly("shop", "proxy");
    assertThat(pod.list("containers").get(1).list("env")).isEmpty();
    assertThat(names(pod.list("initContainers")))
        .containsExactlyInAnyOrder("cistern-agent", "cistern-sidecar", "migrate");
    assertThat(names(pod.list("volumes"))).contains("cache", "cistern-stats");
  }

  /**
   * Checks that fsGroup is unchanged. With another value, the kubelet would change the group of
   * each file on the claim.
   */
  @Test
  void theGroupOfVolumesStaysTheTeams() {
    assertThat(pod("StatefulSet", "rich").get("securityContext").value())
        .isEqualTo(
            Map.of(
                "supplementalGroups",
                List.of(2000),
                "fsGroup",
                999,
                "fsGroupChangePolicy",
                "Always"));
    assertThat(pod("DaemonSet", "bare").has("securityContext")).isFalse();
  }

  /** Checks that an entry of env hides the variable of an image, and of envFrom. */
  @Test
  void flagsThatNoManifestShowsAreHidden() {
    Node container = pod("Deployment", "hidden").list("containers").get(0);
    assertThat(container.list("envFrom")).hasSize(1);
    assertThat(container.named("env", "JAVA_TOOL_OPTIONS").text("value").strip()).isEqualTo(AGENT);
  }

  /**
   * Checks that flags in another variable stay. Kubernetes replaces a reference to a variable that
   * is defined earlier.
   */
  @Test
  void flagsUnderAnotherNameStay() {
    Node container = pod("Deployment", "shown").list("containers").get(0);
    assertThat(names(container.list("env"))).startsWith("SHOP_FLAGS", "JAVA_TOOL_OPTIONS");
    assertThat(container.named("env", "SHOP_FLAGS").has("valueFrom")).isTrue();
    assertThat(container.named("env", "JAVA_TOOL_OPTIONS").text("value"))
        .isEqualTo(AGENT + " $(SHOP_FLAGS)");
  }

  @Test
  void flagsWithASourceOfTheirOwnMakeAManifestThatIsRefused() {
    Node deployment = Kustomize.object(REFUSED, "Deployment", "refused");
    assertThat(Environments.complaints(deployment))
        .singleElement()
        .asString()
        .contains("containers[0].env[0]: ", AGENT, "has both value and valueFrom");
  }

  @Test
  void imagesHaveAPlaceholderRegistryByDefault() {
    Node pod = pod("DaemonSet", "bare");
    for (String name : List.of("cistern-agent", "cistern-sidecar")) {
      assertThat(pod.named("initContainers", name).text("image"))
          .startsWith("registry.example/" + name.replace('-', '/') + ":");
    }
  }

  /**
   * Checks that the monitor is a separate kustomization: two kustomizations in a namespace must not
   * share an object.
   */
  @Test
  void theMonitorIsTheNamespacesAndNotTheWorkloads() {
    assertThat(Kustomize.build(MONITORED)).hasSize(1);
    Node monitor = Kustomize.object(MONITORED, "PodMonitor", "cistern");
    assertThat(monitor.get("metadata").text("namespace")).isEqualTo("shop");
    assertThat(monitor.get("spec").list("podMetricsEndpoints"))
        .singleElement()
        .matches(endpoint -> endpoint.has("basicAuth"));
  }

  @Test
  void aContainerWithoutAnythingGetsAll() {
    Node main = pod("DaemonSet", "bare").list("containers").get(0);
    assertThat(main.named("env", "JAVA_TOOL_OPTIONS").text("value").strip()).isEqualTo(AGENT);
    assertThat(names(main.list("env")))
        .containsExactly(
            "JAVA_TOOL_OPTIONS",
            "CISTERN_STATS_DIRECTORY",
            "CISTERN_LISTEN",
            "CISTERN_POD",
            "CISTERN_MODE",
            "CISTERN_PERCENT");
    assertThat(names(main.list("volumeMounts"))).containsExactly("cistern-agent", "cistern-stats");
  }

  @ParameterizedTest
  @CsvSource({
    "Deployment,observe,observe,100",
    "StatefulSet,swap,swap,100",
    "DaemonSet,swap-ten,swap,10",
    "Deployment,true,observe,100",
    "Deployment,mistyped,observe,100",
    "Deployment,own,observe,100",
  })
  void theLabelsValueDecidesTheModeAndAnyOtherValueObserves(
      String kind, String name, String mode, String percent) {
    Node main = podOfMode(kind, name).list("containers").get(0);
    assertThat(main.named("env", "CISTERN_MODE").text("value")).isEqualTo(mode);
    assertThat(main.named("env", "CISTERN_PERCENT").text("value")).isEqualTo(percent);
    assertThat(podOfMode(kind, name).named("initContainers", "cistern-sidecar").list("env"))
        .as("the login finds the same workloads")
        .anyMatch(variable -> variable.text("name").equals("CISTERN_WEB_CONFIG"));
  }

  @Test
  void anUnknownValueIsReportedByThePodAndInALog() {
    String problem = "cistern.dev/agent has an unknown value";
    Node mistyped = Kustomize.object(MODES, "Deployment", "mistyped");
    assertThat(
            mistyped
                .get("spec")
                .get("template")
                .get("metadata")
                .get("annotations")
                .text("cistern.dev/problem"))
        .contains(problem, "allowed: observe, swap, swap-10, false", "the mode is observe");
    Node agent = podOfMode("Deployment", "mistyped").named("initContainers", "cistern-agent");
    assertThat(agent.named("env", "PROBLEM").text("value")).contains(problem);
    assertThat(agent.list("args").get(0).text()).contains("echo \"$PROBLEM\"");
    for (String known : List.of("observe", "true", "own")) {
      Node metadata =
          Kustomize.object(MODES, "Deployment", known).get("spec").get("template").get("metadata");
      assertThat(metadata.has("annotations")).as(known).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"false", "off"})
  void aWorkloadWhoseLabelSaysNoStaysAsItIs(String name) {
    Node pod = podOfMode("Deployment", name);
    assertThat(pod.has("initContainers")).isFalse();
    assertThat(pod.list("containers").get(0).has("env")).isFalse();
  }

  private static Node podOfMode(String kind, String name) {
    return Kustomize.object(MODES, kind, name).get("spec").get("template").get("spec");
  }

  @Test
  void aWorkloadWithoutTheLabelStaysAsItIs() {
    Node other = pod("Deployment", "other");
    assertThat(other.has("initContainers")).isFalse();
    assertThat(other.has("volumes")).isFalse();
    assertThat(other.list("containers").get(0).has("env")).isFalse();
  }

  @Test
  void theSourceOfTheEntriesIsNotRendered() {
    assertThat(Kustomize.build(DIRECTORY))
        .extracting(object -> object.text("kind"))
        .containsOnly("StatefulSet", "DaemonSet", "Deployment");
  }

  private static Node pod(String kind, String name) {
    return Kustomize.object(DIRECTORY, kind, name).get("spec").get("template").get("spec");
  }

  private static List<String> names(List<Node> nodes) {
    return nodes.stream().map(node -> node.text("name")).toList();
  }
}
