/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.copy;

/** The states of a copy of Netty. */
public enum CopyState {
  /** Seen, not yet looked at. */
  FOUND("off"),
  /** Everything is ready; waits until the host has made its first buffer by itself. */
  READY("off"),
  /** Our pool serves. */
  LIVE("swap"),
  /** Listed only, as configured. */
  OBSERVED("observe"),
  /** Left alone, for a reason. */
  REFUSED("off"),
  /** Served once, and fell back for good, for a reason. */
  STOOD_DOWN("off");

  private final String mode;

  CopyState(String mode) {
    this.mode = mode;
  }

  /** Whether its pool may hold figures. */
  public boolean hasServed() {
    return this == LIVE || this == STOOD_DOWN;
  }

  /** What the metrics call it. */
  public String mode() {
    return mode;
  }
}
