/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.dashboards;

import java.util.ArrayList;
import java.util.List;

/** All conventions of dashboards. They return a list of violations. */
final class Conventions {
  private Conventions() {}

  static List<Finding> check(Dashboard dashboard) {
    List<Finding> findings = new ArrayList<>(FrameConventions.check(dashboard));
    findings.addAll(PanelConventions.check(dashboard));
    findings.addAll(QueryConventions.check(dashboard));
    findings.addAll(CostConventions.check(dashboard));
    return findings;
  }
}
