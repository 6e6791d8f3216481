/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stack.kubernetes;

import com.grack.nanojson.JsonParser;
import com.grack.nanojson.JsonParserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * The schemas that Kubernetes and the Prometheus operator publish with their source: the OpenAPI
 * documents of the API server, and the definitions of custom resources.
 */
final class PublishedSchemas {
  private static final String KUBERNETES = "k8s.io/kubernetes@v1.33.4";
  private static final String OPERATOR =
      "github.com/prometheus-operator/prometheus-operator@v0.85.0";
  private static final String OPERATOR_GROUP = "monitoring.coreos.com";
  private static final String METADATA = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

  private static final Map<Path, Map<?, ?>> READ = new ConcurrentHashMap<>();

  private PublishedSchemas() {}

  /** Fetches the schemas, which may take minutes the first time. */
  static void fetch() {
    GoTool.module(KUBERNETES);
    GoTool.module(OPERATOR);
  }

  /** Returns how an object differs from the schema of the API server; empty if it does not. */
  static List<String> complaints(Node object) {
    List<String> complaints = new ArrayList<>(differences(object));
    complaints.addAll(Environments.complaints(object));
    return complaints;
  }

  private static List<String> differences(Node object) {
    String version = object.text("apiVersion");
    String kind = object.text("kind");
    boolean isCustom = version.startsWith(OPERATOR_GROUP + "/");
    Path file = isCustom ? customResource(kind) : document(version);
    if (!Files.exists(file)) {
      return List.of(object + ": no schema is published for " + version + " " + kind);
    }
    return isCustom ? customComplaints(file, object) : builtInComplaints(file, kind, object);
  }

  private static List<String> builtInComplaints(Path file, String kind, Node object) {
    Map<?, ?> definitions = definitions(file);
    for (Object definition : definitions.values()) {
      if (definition instanceof Map<?, ?> schema
          && schema.get("x-kubernetes-group-version-kind") instanceof List<?> kinds
          && kinds.size() == 1
          && ((Map<?, ?>) kinds.get(0)).get("kind").equals(kind)) {
        return SchemaCheck.complaints(definitions, schema, object);
      }
    }
    return List.of(
        object + ": no schema is published for " + object.text("apiVersion") + " " + kind);
  }

  /**
   * Returns the complaints about a custom resource. They include its metadata, which the schema of
   * the resource leaves to the API server.
   */
  private static List<String> customComplaints(Path file, Node object) {
    Node definition = new Node(yaml(file), file.getFileName().toString());
    String version = object.text("apiVersion").substring(OPERATOR_GROUP.length() + 1);
    Node schema =
        definition.get("spec").named("versions", version).get("schema").get("openAPIV3Schema");
    List<String> complaints =
        new ArrayList<>(SchemaCheck.complaints(Map.of(), (Map<?, ?>) schema.value(), object));
    Map<?, ?> definitions = definitions(document("v1"));
    complaints.addAll(
        SchemaCheck.complaints(
            definitions, (Map<?, ?>) definitions.get(METADATA), object.get("metadata")));
    return complaints;
  }

  private static Path document(String version) {
    String name = version.contains("/") ? "apis__" + version.replace("/", "__") : "api__" + version;
    return GoTool.module(KUBERNETES).resolve("api/openapi-spec/v3/" + name + "_openapi.json");
  }

  private static Path customResource(String kind) {
    return GoTool.module(OPERATOR)
        .resolve("example/prometheus-operator-crd")
        .resolve(OPERATOR_GROUP + "_" + kind.toLowerCase(Locale.ROOT) + "s.yaml");
  }

  private static Map<?, ?> definitions(Path file) {
    Node document = new Node(READ.computeIfAbsent(file, PublishedSchemas::json), file.toString());
    return (Map<?, ?>) document.get("components").get("schemas").value();
  }

  private static Map<?, ?> json(Path file) {
    try {
      return JsonParser.object().from(Files.readString(file));
    } catch (IOException | JsonParserException e) {
      throw new AssertionError(file.toString(), e);
    }
  }

  private static Object yaml(Path file) {
    try {
      return new Load(LoadSettings.builder().build()).loadFromString(Files.readString(file));
    } catch (IOException e) {
      throw new AssertionError(file.toString(), e);
    }
  }
}
