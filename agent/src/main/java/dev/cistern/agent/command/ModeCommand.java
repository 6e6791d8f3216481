/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.command;

import dev.cistern.agent.config.BadSettingException;
import dev.cistern.agent.config.CopyPattern;
import dev.cistern.agent.config.Mode;
import dev.cistern.agent.report.AgentControl;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The command {@code mode}: shows and sets the mode of each Netty copy in a JVM. */
final class ModeCommand {
  private static final String PERCENT = "--percent";
  private static final String COPIES = "--copies";

  private final String pid;
  private @Nullable String mode;
  private int percent = 100;
  private String copies = "*";

  private ModeCommand(String pid) {
    this.pid = pid;
  }

  static int run(List<String> words) throws UsageException, HostException {
    if (words.isEmpty()) {
      throw new UsageException("missing process ID; run 'cistern list'");
    }
    ModeCommand command = new ModeCommand(Target.pid(words.get(0)));
    command.read(words.subList(1, words.size()));
    return command.run();
  }

  private void read(List<String> words) throws UsageException {
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      if (word.equals(PERCENT) || word.equals(COPIES)) {
        if (++i == words.size()) {
          throw new UsageException(word + ": missing value");
        }
        take(word, words.get(i));
      } else if (mode == null && !word.startsWith("-")) {
        mode = word;
      } else {
        throw new UsageException(
            "unknown option: '"
                + word
                + "' (expected: a mode, "
                + PERCENT
                + " N, "
                + COPIES
                + " PATTERN)");
      }
    }
    if (mode == null && !words.isEmpty()) {
      throw new UsageException("missing mode (expected: swap, observe or off)");
    }
    check();
  }

  /** Checks the arguments here, so that an invalid one does not reach the other JVM. */
  private void check() throws UsageException {
    try {
      if (mode != null) {
        Mode unused = Mode.of(mode, percent);
      }
      CopyPattern unused = CopyPattern.of(copies);
    } catch (BadSettingException refused) {
      throw new UsageException(String.valueOf(refused.getMessage()));
    }
  }

  private void take(String option, String value) throws UsageException {
    if (option.equals(COPIES)) {
      copies = value;
      return;
    }
    try {
      percent = Integer.parseInt(value);
    } catch (NumberFormatException malformed) {
      throw new UsageException(PERCENT + ": '" + value + "' (expected: a number from 1 to 100)");
    }
  }

  private int run() throws UsageException, HostException {
    try (Target target = Target.open(pid)) {
      if (target.agentVersion() == null) {
        throw new HostException(
            "process " + pid + " does not have the agent; run 'cistern attach " + pid + "'");
      }
      if (ModuleLayer.boot().findModule("java.management").isEmpty()) {
        throw new UsageException("cannot connect: this Java runtime has no module java.management");
      }
      String answer = RemoteAgent.ask(target, mode, percent, copies);
      System.out.print(answer);
      return answer.lines().anyMatch(line -> line.startsWith(AgentControl.NOT_CHANGED))
          ? Commands.FAILED
          : Commands.DONE;
    }
  }
}
