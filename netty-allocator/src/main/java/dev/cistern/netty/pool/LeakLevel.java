/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty.pool;

/**
 * The levels of leak detection, with Netty's names.
 *
 * <p>Under the agent, the recorded accesses are those that Netty's leak-aware wrapper reports.
 * Without the agent they are the calls of {@code touch} on buffers that Netty's detector did not
 * select. Netty's detector records the accesses of the buffers that it selects, at its own levels.
 */
public enum LeakLevel {
  /** Watches no buffer. */
  DISABLED,
  /** Watches a sample of the buffers, without their accesses. */
  SIMPLE,
  /** Watches a sample of the buffers, and records their accesses. */
  ADVANCED,
  /**
   * Watches each buffer, and records its accesses. A released slot stays in quarantine before it is
   * allocated again.
   */
  PARANOID;

  /** Returns whether this level watches at least as closely as another. */
  public boolean isAtLeast(LeakLevel other) {
    return compareTo(other) >= 0;
  }

  /** Returns the name in reports and settings. */
  public String label() {
    return switch (this) {
      case DISABLED -> "disabled";
      case SIMPLE -> "simple";
      case ADVANCED -> "advanced";
      case PARANOID -> "paranoid";
    };
  }
}
