/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stack.kubernetes;

import dev.cistern.testing.Repository;
import dev.cistern.testing.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The output of the real kustomize for a directory. */
final class Kustomize {
  /** The newest version that Go in Debian 12 can build. */
  private static final String PACKAGE = "sigs.k8s.io/kustomize/kustomize/v5@v5.0.3";

  private static final String NAME = "kustomize";
  private static final long LIMIT_SECONDS = 60;
  private static final Map<String, List<Node>> BUILT = new ConcurrentHashMap<>();

  private Kustomize() {}

  /** Compiles kustomize, which may take minutes the first time. */
  static void fetch() {
    GoTool.program(PACKAGE, NAME);
  }

  /** Returns the objects that the kustomization in a directory of the project renders. */
  static List<Node> build(String directory) {
    return BUILT.computeIfAbsent(directory, Kustomize::run);
  }

  /** Returns the only object of a kind and name that a directory renders. */
  static Node object(String directory, String kind, String name) {
    List<Node> found =
        build(directory).stream()
            .filter(o -> o.text("kind").equals(kind) && o.get("metadata").text("name").equals(name))
            .toList();
    if (found.size() != 1) {
      throw new AssertionError(
          directory + " renders " + found.size() + " of " + kind + "/" + name + ", not one");
    }
    return found.get(0);
  }

  private static List<Node> run(String directory) {
    Path program = GoTool.program(PACKAGE, NAME);
    List<String> command =
        List.of(program.toString(), "build", Repository.path(directory).toString());
    try {
      Path work = Files.createTempDirectory("kustomize");
      Tool.Outcome outcome = Tool.run(new ProcessBuilder(command), LIMIT_SECONDS);
      Files.delete(work);
      if (outcome.status() != 0) {
        throw new AssertionError(directory + ": " + outcome.printed());
      }
      return objects(directory, outcome.printed());
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** Reads several YAML documents. */
  static List<Node> objects(String source, String yaml) {
    List<Node> objects = new ArrayList<>();
    for (Object document :
        new Load(LoadSettings.builder().setLabel(source).build()).loadAllFromString(yaml)) {
      Node object = new Node(document, source);
      String name = object.get("metadata").text("name");
      objects.add(new Node(document, source + ": " + object.text("kind") + "/" + name));
    }
    return objects;
  }
}
