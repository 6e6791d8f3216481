/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.netty;

/** Receives the events of the agent's thread. All calls come from that thread. */
public interface AgentListener {
  /** Opens the HTTP endpoint at the first call. Returns its description. */
  String endpoint();

  /** Called after the mode of a copy has changed. */
  void onModeChange(NettyCopy copy);

  /**
   * Called after a round of the agent's thread has failed, for a reason that belongs to no copy.
   */
  void onThreadFailure();

  /**
   * Called about once a second.
   *
   * @param hasNewLeaks whether leaks were found since the last call
   * @param isExhausted whether native memory ran out since the last call
   */
  void onTick(boolean hasNewLeaks, boolean isExhausted);

  /** Called once, after the agent has left all copies: closes the outputs. */
  void onDetach();
}
