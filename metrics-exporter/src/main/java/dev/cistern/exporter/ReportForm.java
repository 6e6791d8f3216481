/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Writes a report in one format, piece by piece: a report with all its stacks can be a large part
 * of a host's memory.
 */
@FunctionalInterface
interface ReportForm {
  /** Writes UTF-8. */
  void write(HostReport report, View view, OutputStream out) throws IOException;
}
