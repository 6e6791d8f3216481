/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.netty;

import dev.cistern.agent.config.AgentConfig;
import dev.cistern.agent.config.CopyPattern;
import dev.cistern.agent.config.Mode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Maps each Netty copy to its requested mode: the mode of the latest command that names it,
 * otherwise the mode of the settings. The agent's thread only.
 */
final class ModePolicy {
  /** Number of patterns that commands may name at a time. */
  static final int MAX_NAMED = 100;

  private final List<CopyPattern> include;
  private final List<CopyPattern> exclude;
  private final Mode start;

  /** Commands by their pattern, the latest one last. */
  private final Map<CopyPattern, ModeCommand> named = new LinkedHashMap<>();

  /** The latest command for all copies. Any thread reads it. */
  private volatile ModeCommand general;

  /**
   * The requested mode of a copy.
   *
   * @param reason why the settings request it; empty if a command does
   * @param isLimited whether a command requested a higher mode than the settings permit
   */
  record Decision(Mode mode, String reason, ModeSource source, boolean isLimited) {}

  ModePolicy(AgentConfig config) {
    this.start = config.mode();
    this.general = new ModeCommand(start, CopyPattern.ALL, ModeSource.SETTINGS, true);
    this.include = config.include();
    this.exclude = config.exclude();
  }

  /** Returns the mode of the copies that are neither excluded nor named. */
  Mode general() {
    return limited(general, start);
  }

  /**
   * Adds a command. One for {@link CopyPattern#ALL} forgets the earlier ones, and does not change
   * the copies that the settings leave out.
   *
   * @throws IllegalArgumentException if too many patterns are named
   */
  void add(ModeCommand command) {
    CopyPattern which = command.which();
    if (which.equals(CopyPattern.ALL)) {
      named.clear();
      general = command;
      return;
    }
    if (named.size() >= MAX_NAMED && !named.containsKey(which)) {
      throw new IllegalArgumentException(
          "copies: "
              + which
              + " (expected: up to "
              + MAX_NAMED
              + " patterns at a time); a mode for all copies forgets the earlier patterns");
    }
    named.remove(which);
    named.put(which, command);
  }

  /** Returns the requested mode of a copy. */
  Decision of(NettyCopy copy) {
    String leftOut = leftOut(copy);
    Mode highest = leftOut.isEmpty() ? start : Mode.OFF;
    ModeCommand command = latest(copy);
    if (command == null) {
      if (!leftOut.isEmpty()) {
        return new Decision(Mode.OFF, leftOut, ModeSource.SETTINGS, false);
      }
      command = general;
    }
    Mode mode = limited(command, highest);
    boolean isLimited = !mode.equals(command.mode());
    return new Decision(mode, isLimited ? leftOut : "", command.source(), isLimited);
  }

  private static Mode limited(ModeCommand command, Mode highest) {
    boolean isTooHigh = !command.mayRaise() && command.mode().rank() > highest.rank();
    return isTooHigh ? highest : command.mode();
  }

  /** Returns which setting leaves a copy out; empty if none does. */
  private String leftOut(NettyCopy copy) {
    if (matchesAny(exclude, copy)) {
      return "excluded by the setting exclude";
    }
    return matchesAny(include, copy) ? "" : "not included by the setting include";
  }

  private @Nullable ModeCommand latest(NettyCopy copy) {
    ModeCommand latest = null;
    for (ModeCommand command : named.values()) {
      latest = copy.matches(command.which()) ? command : latest;
    }
    return latest;
  }

  private static boolean matchesAny(List<CopyPattern> patterns, NettyCopy copy) {
    for (CopyPattern pattern : patterns) {
      if (copy.matches(pattern)) {
        return true;
      }
    }
    return false;
  }
}
