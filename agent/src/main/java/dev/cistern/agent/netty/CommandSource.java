/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.netty;

import java.util.List;

/** Commands that the agent's thread fetches, such as those of a control file. */
public interface CommandSource {
  /** Returns the commands since the last call, in order. */
  List<ModeCommand> poll();

  /**
   * Records that a command from elsewhere was carried out. If a fetch of commands is pending, its
   * result ends with this command, which is later.
   */
  void carriedOut(ModeCommand command);

  /** Counts and logs a command that was not carried out. Any thread may call it. */
  void refuse(String reason);
}
