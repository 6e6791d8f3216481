/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

/**
 * A host as an exporter knows it.
 *
 * @param report the last thing that it told
 * @param state whether it lives
 * @param heartbeatMillis when it was last seen alive, milliseconds since the epoch
 */
public record HostState(HostReport report, State state, long heartbeatMillis) {
  /** Whether a host lives, and if not, how it ended. */
  public enum State {
    /** It runs. */
    UP,
    /** It has shut down as a JVM does that is asked to. */
    EXITED,
    /** It is gone without a word: killed, or crashed. */
    DIED
  }

  /** A host that has just told {@code report}. */
  static HostState up(HostReport report) {
    return new HostState(report, State.UP, report.timeMillis());
  }

  /** Whether it runs. */
  public boolean isUp() {
    return state == State.UP;
  }
}
