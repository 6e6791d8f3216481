/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.copy;

import dev.cistern.agent.config.AgentConfig;
import dev.cistern.agent.config.CopyPattern;
import dev.cistern.agent.config.Mode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which mode is wanted for which copy: what the settings say, and what was said since, copies that
 * are yet to come included. The agent's thread's own.
 */
final class Wishes {
  /** Patterns that may be named at run time; one more is refused. */
  static final int MAX_NAMED = 100;

  private final List<CopyPattern> include;
  private final List<CopyPattern> exclude;

  /** By pattern, the latest last: it is the one that holds. */
  private final Map<CopyPattern, Mode> named = new LinkedHashMap<>();

  /** Read by any thread. */
  private volatile Mode general;

  Wishes(AgentConfig config) {
    this.general = config.mode();
    this.include = config.include();
    this.exclude = config.exclude();
  }

  /** For all copies that are neither excluded nor named. */
  Mode general() {
    return general;
  }

  /**
   * From now on {@code mode} is wanted for all that {@code pattern} means. {@link CopyPattern#ALL}
   * takes back what was named, and leaves alone what the settings exclude.
   *
   * @throws IllegalArgumentException if too many patterns are named
   */
  void want(Mode mode, CopyPattern pattern) {
    if (pattern.equals(CopyPattern.ALL)) {
      named.clear();
      general = mode;
      return;
    }
    if (named.size() >= MAX_NAMED && !named.containsKey(pattern)) {
      throw new IllegalArgumentException(
          "copies = '"
              + pattern
              + "': modes are set for "
              + MAX_NAMED
              + " patterns already, which is the limit; a mode for all copies takes them back");
    }
    named.remove(pattern);
    named.put(pattern, mode);
  }

  /** Where a copy stands in the settings, in words; empty where they say nothing special. */
  String reason(NettyCopy copy) {
    if (named(copy) != null) {
      return "";
    }
    if (isAmong(exclude, copy)) {
      return "excluded by the setting exclude";
    }
    return isAmong(include, copy) ? "" : "not included by the setting include";
  }

  Mode of(NettyCopy copy) {
    Mode own = named(copy);
    if (own != null) {
      return own;
    }
    return reason(copy).isEmpty() ? general : Mode.OFF;
  }

  private @Nullable Mode named(NettyCopy copy) {
    Mode latest = null;
    for (Map.Entry<CopyPattern, Mode> entry : named.entrySet()) {
      if (copy.isMeantBy(entry.getKey())) {
        latest = entry.getValue();
      }
    }
    return latest;
  }

  private static boolean isAmong(List<CopyPattern> patterns, NettyCopy copy) {
    for (CopyPattern pattern : patterns) {
      if (copy.isMeantBy(pattern)) {
        return true;
      }
    }
    return false;
  }
}
