/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.command;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The command {@code attach}: loads the agent into a running JVM. */
final class AttachCommand {
  private AttachCommand() {}

  static int run(List<String> words) throws UsageException, HostException {
    if (words.isEmpty()) {
      throw new UsageException("missing process ID; run 'cistern list'");
    }
    String pid = Target.pid(words.get(0));
    for (String option : words.subList(1, words.size())) {
      if (option.indexOf('=') <= 0) {
        throw new UsageException("'" + option + "': invalid option (expected: key=value)");
      }
    }
    try (Target target = Target.open(pid)) {
      String before = target.agentVersion();
      target.load(String.join(",", words.subList(1, words.size())));
      return report(pid, before, target.agentVersion());
    }
  }

  private static int report(String pid, @Nullable String before, @Nullable String after)
      throws HostException {
    if (after == null) {
      throw new HostException(
          "agent disabled in process " + pid + ": see the standard error of that process");
    }
    System.out.println(
        before == null
            ? "attached to process " + pid + "; 'cistern mode " + pid + "' shows its Netty copies"
            : "process "
                + pid
                + " already has the agent, version "
                + before
                + "; see its standard error for changes");
    return Commands.DONE;
  }
}
