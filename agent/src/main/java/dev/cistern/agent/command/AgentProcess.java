/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.command;

import dev.cistern.exporter.report.HostIdentity;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.TextFormat;
import dev.cistern.exporter.statsfile.StatsFileReader;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A JVM with the agent, known by its stats file.
 *
 * @param pid process ID here; 0 if no process of this machine has the file open
 * @param process that process; null if it is unknown
 * @param file its stats file
 * @param identity the host as the file names it
 */
record AgentProcess(long pid, @Nullable LocalProcess process, Path file, HostIdentity identity) {
  /** Returns its last report, with the allocation sites but without stacks. */
  HostView report() throws HostException {
    try {
      HostView report = new StatsFileReader().readSites(file).report();
      return report != null ? report : HostView.nothing(identity);
    } catch (IOException failed) {
      throw new HostException("cannot read " + file, failed);
    }
  }

  String application() {
    return identity.application().isEmpty() ? "-" : TextFormat.plain(identity.application());
  }
}
