/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak.report;

import java.util.List;

/**
 * The allocation profile: which stacks allocated how many buffers and bytes since start. An
 * immutable copy of sums that never decrease; a stack that was in one report is in all later ones.
 *
 * <p>The profile uses one in some of the samples of the live profile, because the frames of a stack
 * cost more than the sample. Stacks and remainder together estimate all allocations. Where buffers
 * of Netty's own pools are observed, later growth of a buffer is not an allocation.
 *
 * @param sinceMillis when the sums began, in milliseconds since the epoch
 * @param timeMillis time of this report, in milliseconds since the epoch
 * @param samples number of samples since start, of which some were selected
 * @param oneIn one in this many samples is selected at present; 1: each
 * @param stacks the sums by stack and kind of memory
 * @param remainder the sums of selected samples that have no stack or whose stack found no place,
 *     up to one for each kind of memory
 */
public record AllocationReport(
    long sinceMillis,
    long timeMillis,
    long samples,
    int oneIn,
    List<AllocatedStack> stacks,
    List<AllocatedStack> remainder) {
  /** Nothing was seen. */
  public static final AllocationReport EMPTY =
      new AllocationReport(0, 0, 0, 1, List.of(), List.of());

  /** Copies the lists. */
  public AllocationReport {
    stacks = List.copyOf(stacks);
    remainder = List.copyOf(remainder);
  }

  /**
   * Returns all that was allocated of one kind of memory, with the remainder.
   *
   * @param memory {@code direct} or {@code heap}
   */
  public AllocationEstimate total(String memory) {
    return sum(memory, stacks).plus(sum(memory, remainder));
  }

  private static AllocationEstimate sum(String memory, List<AllocatedStack> stacks) {
    AllocationEstimate sum = AllocationEstimate.NOTHING;
    for (AllocatedStack stack : stacks) {
      if (stack.memory().equals(memory)) {
        sum = sum.plus(stack.allocated());
      }
    }
    return sum;
  }
}
