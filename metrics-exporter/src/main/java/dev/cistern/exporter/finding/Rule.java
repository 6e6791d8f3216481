/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import dev.cistern.exporter.report.Finding;
import java.util.List;

/** Finds causes of one kind. A rule reads facts and changes nothing. */
@FunctionalInterface
interface Rule {
  /** Returns what it finds, the largest first; empty if it finds nothing. */
  List<Finding> find(Facts facts);
}
