/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty.pool;

/** How closely buffers are watched for leaks; the names are Netty's (seed row E1). */
public enum LeakLevel {
  /** Not at all. */
  DISABLED,
  /** A sample, for being released. */
  SIMPLE,
  /** A sample, with what is done to it. */
  ADVANCED,
  /** Each buffer, with what is done to it; released slots rest before they are used again. */
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
