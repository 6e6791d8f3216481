/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.netty;

import java.util.Locale;

/** Source of the last mode change of a Netty copy. */
public enum ModeSource {
  /** The settings at the start. */
  SETTINGS,
  /** A further attach. */
  ATTACH,
  /** The MXBean. */
  JMX,
  /** The control file. */
  FILE,
  /** The sidecar. */
  SIDECAR,
  /** The agent, because the mode failed. */
  FAILURE,
  /** The agent, for a limited time, because of faults. */
  BACK_OFF;

  /** Returns its name in metrics and messages. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
