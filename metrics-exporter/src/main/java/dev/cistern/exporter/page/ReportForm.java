/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.page;

import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.view.ReportOptions;
import java.io.IOException;
import java.io.OutputStream;

/**
 * A format of reports. It writes a report in parts, because a report with all stacks can be a large
 * part of a host's memory.
 */
@FunctionalInterface
public interface ReportForm {
  /** Writes the report in UTF-8. */
  void write(HostView report, ReportOptions options, OutputStream out) throws IOException;
}
