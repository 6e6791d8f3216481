/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.netty;

import java.util.List;

/** Commands that the agent's thread fetches, such as those of a control file. */
public interface CommandSource {
  /** Returns the commands since the last call, in order. */
  List<ModeCommand> poll();

  /**
   * A command that came another way was carried out. If commands are being fetched meanwhile, it
   * comes again after them, because it is later.
   */
  void carriedOut(ModeCommand command);

  /** Counts and logs that a command was not carried out. Any thread may call it. */
  void refuse(String reason);
}
