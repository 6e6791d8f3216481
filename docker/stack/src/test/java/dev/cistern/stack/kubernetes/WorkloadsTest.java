/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stack.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What the component does to workloads that it does not know. */
class WorkloadsTest {
  static final String DIRECTORY = "docker/stack/src/test/kubernetes/workloads";

  private static final String AGENT = "-javaagent:/opt/cistern/agent/cistern-agent.jar";

  @Test
  void flagsVolumesAndContainersOfTheTeamStay() {
    Node pod = pod("StatefulSet", "rich");
    Node shop = pod.list("containers").get(0);
    assertThat(shop.text("name")).isEqualTo("shop");
    assertThat(shop.named("env", "JAVA_TOOL_OPTIONS").text("value"))
        .isEqualTo(AGENT + " -Xmx1g -Dshop.colour=blue");
    assertThat(shop.named("env", "DATABASE").text("value")).isEqualTo("db.example:5432");
    assertThat(names(shop.list("volumeMounts")))
        .containsExactly("data", "cistern-agent", "cistern-stats");
    assertThat(names(pod.list("containers"))).containsExactly("shop", "proxy");
    assertThat(pod.list("containers").get(1).list("env")).isEmpty();
    assertThat(names(pod.list("initContainers")))
        .containsExactlyInAnyOrder("cistern-agent", "cistern-sidecar", "migrate");
    assertThat(names(pod.list("volumes"))).contains("data", "cistern-stats");
    assertThat(pod.get("securityContext").get("supplementalGroups").value())
        .isEqualTo(List.of(2000));
  }

  @Test
  void aContainerWithoutAnythingGetsAll() {
    Node main = pod("DaemonSet", "bare").list("containers").get(0);
    assertThat(main.named("env", "JAVA_TOOL_OPTIONS").text("value").strip()).isEqualTo(AGENT);
    assertThat(names(main.list("env")))
        .containsExactly("JAVA_TOOL_OPTIONS", "CISTERN_DIR", "CISTERN_LISTEN", "CISTERN_POD");
    assertThat(names(main.list("volumeMounts"))).containsExactly("cistern-agent", "cistern-stats");
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
        .containsExactlyInAnyOrder("StatefulSet", "DaemonSet", "Deployment", "PodMonitor");
  }

  private static Node pod(String kind, String name) {
    return Kustomize.object(DIRECTORY, kind, name).get("spec").get("template").get("spec");
  }

  private static List<String> names(List<Node> nodes) {
    return nodes.stream().map(node -> node.text("name")).toList();
  }
}
