/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.command;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Option that adds a directory to the search for stats files. */
final class StatsFiles {
  @Option(
      names = "--statsDirectory",
      paramLabel = "DIRECTORY",
      description = "Also look for stats files there.")
  private @Nullable String directory;

  /** Finds the agents of this machine. */
  AgentProcesses agents() {
    return AgentProcesses.find(directory);
  }

  /** Finds the agent of a process. */
  AgentProcess agent(long pid) throws HostException {
    return agents().get(pid);
  }
}
