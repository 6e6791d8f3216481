/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stack.kubernetes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What an API server wants of the entries of an environment, and no schema says. */
final class Environments {
  private Environments() {}

  /** The entries of an object, wherever in it, that have both a value and a source of one. */
  static List<String> complaints(Node object) {
    List<String> complaints = new ArrayList<>();
    collect(object, complaints);
    return complaints;
  }

  private static void collect(Node node, List<String> complaints) {
    if (node.value() instanceof Map<?, ?> fields) {
      if (node.has("value") && node.has("valueFrom")) {
        complaints.add(node.path() + ": " + node.value() + " has both value and valueFrom");
      }
      fields.forEach(
          (name, value) -> collect(new Node(value, node.path() + "." + name), complaints));
    } else if (node.value() instanceof List<?> members) {
      for (int i = 0; i < members.size(); i++) {
        collect(new Node(members.get(i), node.path() + "[" + i + "]"), complaints);
      }
    }
  }
}
