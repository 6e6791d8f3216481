/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stack.kubernetes;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Directories instead of a pod's volumes. */
record Volumes(Path root) {
  /** A path in an image that is not in any volume. */
  private static final String AGENT_OF_THE_IMAGE = "/opt/cistern/cistern-agent.jar";

  Path volume(String name) {
    return root.resolve("volume-" + name);
  }

  /** Returns the environment of a container, with the paths of its volumes below the root. */
  Map<String, String> environment(Node container) {
    Map<String, String> environment = new HashMap<>();
    for (Node variable : container.list("env")) {
      String value =
          variable.has("value")
              ? variable.text("value")
              : fieldOfPod(variable.get("valueFrom").get("fieldRef").text("fieldPath"));
      environment.put(variable.text("name"), moved(container, value));
    }
    return environment;
  }

  private static String fieldOfPod(String field) {
    if (!field.equals("metadata.name")) {
      throw new AssertionError("no value for " + field);
    }
    return "demo-7d9";
  }

  /** Returns the command of a container, with another path of the agent's jar. */
  List<String> command(Node container, String agent) {
    List<String> command = new ArrayList<>();
    for (Node part : container.list("command")) {
      command.add(part.text());
    }
    for (Node part : container.list("args")) {
      command.add(moved(container, part.text()).replace(AGENT_OF_THE_IMAGE, agent));
    }
    return command;
  }

  private String moved(Node container, String text) {
    String moved = text;
    for (Node mount : container.list("volumeMounts")) {
      String path = "(?<![\\w/])" + Pattern.quote(mount.text("mountPath")) + "(?![\\w-])";
      String there = Matcher.quoteReplacement(volume(mount.text("name")).toString());
      moved = moved.replaceAll(path, there);
    }
    return moved;
  }
}
