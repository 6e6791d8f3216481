/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.dashboards;

import java.util.List;
import java.util.Map;

/**
 * Queries that return nothing in this scenario, and why. One that does return something is stale.
 */
final class EmptyOnPurpose {
  private static final Map<String, String> REASONS =
      Map.of(
          "overview.json: Endpoints: {{job}}, cannot ask its pools",
          "all endpoints that answer can ask their pools",
          "overview.json: Certificates and refused files: A",
          "no endpoint has TLS");

  private EmptyOnPurpose() {}

  /** The queries' names, and why. */
  static Map<String, String> reasons() {
    return REASONS;
  }

  /** The titles of panels all of whose queries return nothing on purpose. */
  static List<String> panels(Answers answers) {
    return answers.byPanel().values().stream()
        .filter(all -> all.stream().allMatch(a -> REASONS.containsKey(a.target().name())))
        .map(all -> all.get(0).target().panel().getString("title"))
        .toList();
  }
}
