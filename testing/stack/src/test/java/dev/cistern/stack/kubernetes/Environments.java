/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stack.kubernetes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Checks of environment entries that an API server performs in addition to the schemas. */
final class Environments {
  private Environments() {}

  /** Returns the complaints about all entries in an object that have both a value and a source. */
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
