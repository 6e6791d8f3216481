/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.report;

import dev.cistern.agent.Log;
import dev.cistern.agent.config.AgentConfig;
import dev.cistern.agent.copy.NettyCopy;
import dev.cistern.exporter.DiagnosticsDump;
import dev.cistern.exporter.DiagnosticsText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is known of the copies' leaks and live buffers, and the ways out beside the endpoint. */
public final class Diagnostics implements DiagnosticsMBean {
  private final AgentReport report;
  private final @Nullable DiagnosticsDump dump;

  /** Whether there is nothing more to do; the agent's thread's own. */
  private boolean isRegistered = !JmxModule.isPresent();

  /** Of these copies; nothing is opened or written yet. */
  public Diagnostics(AgentConfig config, List<NettyCopy> copies) {
    report = new AgentReport(config, copies);
    String directory = config.dumpDirectory();
    dump =
        directory == null
            ? null
            : new DiagnosticsDump(
                Path.of(directory), report, DiagnosticsDump.DEFAULT_KEPT, Log::line);
  }

  AgentReport report() {
    return report;
  }

  @Nullable DiagnosticsDump dumps() {
    return dump;
  }

  /** Native memory has run out: has a dump written, by a thread of its own; does not fail. */
  public void outOfMemory() {
    if (dump != null) {
      boolean unused = dump.writeSoon("out-of-direct-memory");
    }
  }

  /** Counts a fault of the agent's thread. */
  public void agentFailed() {
    report.agentFailed();
  }

  /** What was just found is to survive the host, whatever comes next. */
  public void leaksWereFound() {
    report.writeSoon();
  }

  /**
   * Registers with JMX once the host has opened that: never first, which would fix the host's
   * logging and cost its start. Called about once a second by the agent's thread.
   */
  public void tick() {
    if (isRegistered) {
      return;
    }
    try {
      isRegistered = JmxRegistration.register(this);
    } catch (Throwable failure) {
      isRegistered = true; // not tried again
      Log.line("is not to be found by JMX: " + failure + "; everything else runs");
    }
  }

  @Override
  public String getLeaks() {
    return DiagnosticsText.leaks(report.report());
  }

  @Override
  public String getLive() {
    return DiagnosticsText.live(report.report());
  }

  @Override
  public String dump() throws IOException {
    if (dump == null) {
      throw new IllegalStateException(
          "there is no directory for dumps: set dumpDirectory (allowed: a directory that is there"
              + " or can be made)");
    }
    return dump.write("jmx").toString();
  }
}
