/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.netty;

import java.util.List;

/** Commands that the agent's thread fetches, such as those of a control file. */
public interface CommandSource {
  /**
   * Returns the commands since the last call, in order. Does not throw. Reads files, and so blocks
   * as long as their file system does.
   */
  List<ModeCommand> poll();

  /** Counts and logs a command that was not carried out. */
  void refuse(ModeCommand command, String reason);
}
