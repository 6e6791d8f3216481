/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

/** What was taken and released of extents, as far as one lock guards it. */
final class ExtentCounters {
  long allocations;
  long deallocations;
  long requestedBytes;

  /** Bytes of the extents that were handed out for {@link #requestedBytes}. */
  long allocatedBytes;

  long releasedBytes;

  void allocated(int requested, int size) {
    allocations++;
    requestedBytes += requested;
    allocatedBytes += size;
  }

  void released(int size) {
    deallocations++;
    releasedBytes += size;
  }

  void add(ExtentCounters other) {
    allocations += other.allocations;
    deallocations += other.deallocations;
    requestedBytes += other.requestedBytes;
    allocatedBytes += other.allocatedBytes;
    releasedBytes += other.releasedBytes;
  }
}
