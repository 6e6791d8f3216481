/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

/** Empties the quarantine of a pool, for tests of other packages that check its statistics. */
public final class QuarantineEnd {
  private QuarantineEnd() {}

  /** Releases all slots that are in quarantine. */
  public static void of(BufferPool pool) {
    pool.quarantine.release(0);
  }
}
