/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stack.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that every object that kustomize renders matches the published schema of its kind. */
@Tag("full")
class PublishedSchemasTest {
  private static final String DEPLOYMENT =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: shop
        labels: {}
      spec:
        replicas: 2
        selector:
          matchLabels:
            app: shop
        template:
          spec:
            initContainers:
              - name: first
                restartPolicy: Always
            containers:
              - name: main
                resources:
                  limits:
                    memory: 64Mi
                readinessProbe:
                  httpGet:
                    port: http
                env:
                  - name: FLAGS
                    valueFrom:
                      fieldRef:
                        fieldPath: metadata.name
      """;

  private static final String POD_MONITOR =
      """
      apiVersion: monitoring.coreos.com/v1
      kind: PodMonitor
      metadata:
        name: shop
        labels: {}
      spec:
        selector: {}
        podMetricsEndpoints:
          - port: http
            interval: 15s
            relabelings:
              - action: replace
                targetLabel: instance
      """;

  @BeforeAll
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  static void fetch() {
    Kustomize.fetch();
    PublishedSchemas.fetch();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "docker/kubernetes/base",
        "docker/kubernetes/overlays/demo",
        "docker/kubernetes/monitoring",
        WorkloadsTest.MONITORED,
        WorkloadsTest.DIRECTORY
      })
  void everyObjectKeepsItsSchema(String directory) {
    List<Node> objects = Kustomize.build(directory);
    assertThat(objects).isNotEmpty();
    assertThat(objects.stream().flatMap(o -> PublishedSchemas.complaints(o).stream())).isEmpty();
  }

  @Test
  void theExamplesThatAreSpoiledBelowAreRight() {
    assertThat(complaints(DEPLOYMENT)).isEmpty();
    assertThat(complaints(POD_MONITOR)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "initContainers:, initContainer:, spec.template.spec.initContainer: there is no such field",
    "restartPolicy:, restartPolice:, initContainers[0].restartPolice: there is no such field",
    "limits:, limit:, containers[0].resources.limit: there is no such field",
    "replicas: 2, replicas: two, spec.replicas: two is not of type integer",
    "port: http, port: [http], readinessProbe.httpGet.port: [http] is none of",
    "memory: 64Mi, memory: true, resources.limits.memory: true is none of",
    "name: main, image: main, containers[0]: {image=main",
    "name: FLAGS, 'name: FLAGS\n              value: -Xmx1g', has both value and valueFrom",
    "labels:, label:, metadata.label: there is no such field",
    "kind: Deployment, kind: Deploiment, no schema is published for apps/v1 Deploiment",
    "apps/v1, apps/v7, no schema is published for apps/v7 Deployment",
  })
  void aFaultOfADeploymentIsNamedWithItsPlace(String right, String wrong, String complaint) {
    assertThat(complaints(replaced(DEPLOYMENT, right, wrong)))
        .hasSize(1)
        .allMatch(line -> line.startsWith("spoiled.yaml: ") && line.contains(complaint));
  }

  @ParameterizedTest
  @CsvSource({
    "interval:, intervall:, podMetricsEndpoints[0].intervall: there is no such field",
    "interval: 15s, interval: 15 s, podMetricsEndpoints[0].interval: 15 s does not match",
    "port: http, port: 9472, podMetricsEndpoints[0].port: 9472 is not of type string",
    "action: replace, action: swap, relabelings[0].action: swap is none of",
    "selector: {}, jobLabel: app, spec: {jobLabel=app",
    "kind: PodMonitor, kind: PodMonitors, no schema is published for monitoring.coreos.com/v1",
    "labels:, label:, metadata.label: there is no such field",
  })
  void aFaultOfACustomResourceIsNamedWithItsPlace(String right, String wrong, String complaint) {
    assertThat(complaints(replaced(POD_MONITOR, right, wrong)))
        .hasSize(1)
        .allMatch(line -> line.startsWith("spoiled.yaml: ") && line.contains(complaint));
  }

  private static String replaced(String yaml, String right, String wrong) {
    assertThat(yaml).contains(right);
    return yaml.replaceFirst(Pattern.quote(right), wrong);
  }

  private static List<String> complaints(String yaml) {
    return Kustomize.objects("spoiled.yaml", yaml).stream()
        .flatMap(object -> PublishedSchemas.complaints(object).stream())
        .toList();
  }
}
