/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stats;

/** The statistics of one size class. */
public enum SizeClassStat {
  /** Number of allocations since the pool was created. */
  ALLOCATIONS,
  /** Number of releases since the pool was created. */
  DEALLOCATIONS,
  /** Number of free slots in thread caches and shared caches. */
  CACHED_SLOTS,
  /** Bytes that the allocations requested; allocations times size, minus this, is the waste. */
  REQUESTED_BYTES,
  /** Number of allocations that needed the arena. */
  MISSES;

  static final int COUNT = values().length;
}
