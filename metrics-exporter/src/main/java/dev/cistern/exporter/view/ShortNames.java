/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.view;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** Names of classes without their packages, unless two classes share such a name. */
final class ShortNames {
  /** Full name by short name; empty if several classes share it. */
  private final Map<String, String> fullNames = new HashMap<>();

  ShortNames(Collection<String> names) {
    for (String name : names) {
      fullNames.merge(last(name), name, (one, other) -> one.equals(other) ? one : "");
    }
  }

  /** Returns the name to show for a class. */
  String of(String name) {
    String last = last(name);
    return name.equals(fullNames.get(last)) ? last : name;
  }

  private static String last(String name) {
    return name.substring(name.lastIndexOf('.') + 1);
  }
}
