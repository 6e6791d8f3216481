/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.command;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Loads the agent into a JVM that runs. */
final class AttachCommand {
  private AttachCommand() {}

  static int run(List<String> words) throws UsageException, HostException {
    if (words.isEmpty()) {
      throw new UsageException("which process? cistern list shows them");
    }
    String pid = Target.pid(words.get(0));
    for (String option : words.subList(1, words.size())) {
      if (option.indexOf('=') <= 0) {
        throw new UsageException("'" + option + "' is not of the form key=value");
      }
    }
    try (Target target = Target.open(pid)) {
      String before = target.agentVersion();
      target.load(String.join(",", words.subList(1, words.size())));
      return tell(pid, before, target.agentVersion());
    }
  }

  private static int tell(String pid, @Nullable String before, @Nullable String after)
      throws HostException {
    if (after == null) {
      throw new HostException(
          "the agent stands aside in process " + pid + ", whose stderr says why");
    }
    System.out.println(
        before == null
            ? "attached to process " + pid + "; cistern mode " + pid + " shows what it serves"
            : "process "
                + pid
                + " had the agent already, "
                + before
                + "; its stderr says what changes");
    return Commands.DONE;
  }
}
