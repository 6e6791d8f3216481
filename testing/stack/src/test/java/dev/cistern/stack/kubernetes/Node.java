/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stack.kubernetes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A node of a manifest. Access to a missing field fails with the path of the node.
 *
 * @param value a map, a list, or a scalar
 */
record Node(Object value, String path) {
  /** Returns the value of a field. */
  Node get(String field) {
    Object found = value instanceof Map<?, ?> map ? map.get(field) : null;
    if (found == null) {
      throw new AssertionError(path + " has no " + field + ": " + value);
    }
    return new Node(found, path + "." + field);
  }

  boolean has(String field) {
    return value instanceof Map<?, ?> map && map.containsKey(field);
  }

  String text() {
    return String.valueOf(value);
  }

  String text(String field) {
    return get(field).text();
  }

  /** Returns the members of a list in a field; none if there is no such field. */
  List<Node> list(String field) {
    List<Node> members = new ArrayList<>();
    if (has(field) && get(field).value instanceof List<?> list) {
      for (int i = 0; i < list.size(); i++) {
        members.add(new Node(list.get(i), path + "." + field + "[" + i + "]"));
      }
    }
    return members;
  }

  /** Returns the member of a list with a name. */
  Node named(String field, String name) {
    return list(field).stream()
        .filter(member -> member.text("name").equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(path + "." + field + " has no " + name));
  }

  @Override
  public String toString() {
    return path;
  }
}
