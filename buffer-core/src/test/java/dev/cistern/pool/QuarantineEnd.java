/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

/** Lets out what rests in a pool, for tests of other packages that look at its figures. */
public final class QuarantineEnd {
  private QuarantineEnd() {}

  /** Nothing that is released already rests afterwards. */
  public static void of(BufferPool pool) {
    pool.quarantine.release(0);
  }
}
