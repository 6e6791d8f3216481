/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.dashboards;

/**
 * A fault of a dashboard or of a rule file.
 *
 * @param place the panel, the rule or the variable; empty for the whole file
 * @param rule the violated convention
 */
record Finding(String file, String place, String rule, String problem) {
  @Override
  public String toString() {
    return file + ": " + (place.isEmpty() ? "" : place + ": ") + rule + ": " + problem;
  }
}
