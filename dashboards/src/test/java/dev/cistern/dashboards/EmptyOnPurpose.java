/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.dashboards;

import java.util.List;
import java.util.Map;

/**
 * Queries that return nothing in this scenario, with the reason. An entry is stale if its query
 * returns data.
 */
final class EmptyOnPurpose {
  private static final String NO_PUSHES = "nothing is pushed";
  private static final String NO_HTTP2 = "no application speaks HTTP/2";
  private static final String NO_ADVICE = "limits are recommended after ten minutes";

  private static final Map<String, String> REASONS =
      Map.ofEntries(
          Map.entry(
              "overview.json: Endpoints: {{job}}, cannot read its pools",
              "all endpoints that respond can read their pools"),
          Map.entry("overview.json: Certificates and refused files: A", "no endpoint has TLS"),
          Map.entry(
              "overview.json: Certificates and refused files: D",
              "no endpoint has a web configuration"),
          Map.entry(
              "overview.json: Failures: {{job}} dumps", "no process has a directory for dumps"),
          Map.entry(
              "overview.json: Failures: {{job}} skipped dumps",
              "no process has a directory for dumps"),
          Map.entry("overview.json: Pushed bytes: {{job}} {{receiver}}", NO_PUSHES),
          Map.entry("overview.json: Pushes: {{job}} {{receiver}} accepted", NO_PUSHES),
          Map.entry("overview.json: Pushes: {{job}} {{receiver}} dropped", NO_PUSHES),
          Map.entry("overview.json: Pushes: {{job}} {{receiver}} failed", NO_PUSHES),
          Map.entry("jvm.json: HTTP/2 streams: {{pool}}", NO_HTTP2),
          Map.entry("jvm.json: HTTP/2 unread bytes: {{pool}}", NO_HTTP2),
          Map.entry("jvm.json: Outbound pending bytes: {{pool}}, HTTP/2 streams", NO_HTTP2),
          Map.entry(
              "jvm.json: Time until a limit is reached: {{limit}}",
              "no time is estimated in the first four minutes"),
          Map.entry("jvm.json: Recommended limits: container", NO_ADVICE),
          Map.entry("jvm.json: Recommended limits: direct memory", NO_ADVICE));

  private EmptyOnPurpose() {}

  /** Returns the names of the queries with their reasons. */
  static Map<String, String> reasons() {
    return REASONS;
  }

  /** Returns the titles of the panels of which all queries return nothing on purpose. */
  static List<String> panels(Answers answers) {
    return answers.byPanel().values().stream()
        .filter(all -> all.stream().allMatch(a -> REASONS.containsKey(a.target().name())))
        .map(all -> all.get(0).target().panel().getString("title"))
        .toList();
  }
}
