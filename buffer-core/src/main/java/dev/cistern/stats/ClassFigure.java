/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stats;

/** The figures of one size class. */
public enum ClassFigure {
  /** Slots handed out, since the pool began. */
  ALLOCATIONS,
  /** Slots that came back, since the pool began. */
  DEALLOCATIONS,
  /** Free slots that belong to thread caches. */
  CACHED_SLOTS,
  /** Bytes asked for in those allocations; with the size of the class, what rounding up costs. */
  REQUESTED_BYTES,
  /** Allocations for which a thread cache went to its arena. */
  MISSES;

  static final int COUNT = values().length;
}
