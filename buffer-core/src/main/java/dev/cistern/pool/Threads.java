/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

/** What the pool makes of threads. */
final class Threads {
  private Threads() {}

  /** Spreads thread ids, which are small and close together, over a table. */
  static int hash(Thread thread) {
    long mixed = thread.getId() * 0x9E3779B97F4A7C15L;
    return (int) (mixed >>> 32);
  }
}
