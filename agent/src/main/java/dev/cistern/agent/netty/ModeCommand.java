/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.netty;

import dev.cistern.agent.config.CopyPattern;
import dev.cistern.agent.config.Mode;

/**
 * A command to change modes while the agent runs.
 *
 * @param mode the mode
 * @param which the copies, also those that are found later
 * @param source the source of the command
 * @param mayRaise whether a mode may become higher than that of the settings
 */
public record ModeCommand(Mode mode, CopyPattern which, ModeSource source, boolean mayRaise) {
  /** Returns the beginning of a message about this command. */
  String describe() {
    return source.label() + " command " + mode + ": ";
  }
}
