/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.report;

import dev.cistern.exporter.dump.DiagnosticsDump;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.view.DiagnosticsText;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The MBean of leaks and live buffers of all copies. */
final class Diagnostics implements DiagnosticsMBean {
  private final AgentReport report;
  private final @Nullable DiagnosticsDump dump;

  Diagnostics(AgentReport report, @Nullable DiagnosticsDump dump) {
    this.report = report;
    this.dump = dump;
  }

  @Override
  public String getLeaks() {
    return DiagnosticsText.leaks(HostView.of(report.report()));
  }

  @Override
  public String getLive() {
    return DiagnosticsText.live(HostView.of(report.report()));
  }

  @Override
  public String getVerdict() {
    return DiagnosticsText.verdict(HostView.of(report.report()));
  }

  @Override
  public String memory() {
    return DiagnosticsText.memory(HostView.of(report.measured()));
  }

  @Override
  public String dump() throws IOException {
    if (dump == null) {
      throw new IllegalStateException(
          "dumpDirectory: none (expected: a directory that exists or can be created)");
    }
    return dump.write("jmx").toString();
  }
}
