/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import dev.cistern.exporter.report.Finding;
import java.util.List;

/** Search for causes of one kind. A rule reads facts and changes nothing. */
@FunctionalInterface
interface Rule {
  /** Returns the findings, the largest first; empty if there is none. */
  List<Finding> find(Facts facts);
}
