/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak.report;

import java.util.List;

/**
 * The allocation profile: the numbers of buffers and bytes that each stack has allocated since
 * start. An immutable copy of sums that never decrease; a stack that was in one report is in all
 * later ones.
 *
 * <p>The profile uses one in some of the samples of the live profile, because the frames of a stack
 * cost more than the sample. Stacks and remainder together estimate all allocations. If buffers of
 * Netty's own pools are observed, later growth of a buffer is not an allocation.
 *
 * @param sinceMillis start of the sums, in milliseconds since the epoch
 * @param timeMillis time of this report, in milliseconds since the epoch
 * @param samples number of samples since start, of which some were selected
 * @param oneIn number of samples of which one is currently selected; 1 if all are
 * @param stacks the sums by stack and kind of memory
 * @param remainder the sums of selected samples that have no stack or whose stack was not kept, up
 *     to one for each kind of memory
 */
public record AllocationReport(
    long sinceMillis,
    long timeMillis,
    long samples,
    int oneIn,
    List<AllocatedStack> stacks,
    List<AllocatedStack> remainder) {
  /** The report without samples. */
  public static final AllocationReport EMPTY =
      new AllocationReport(0, 0, 0, 1, List.of(), List.of());

  /** Copies the lists. */
  public AllocationReport {
    stacks = List.copyOf(stacks);
    remainder = List.copyOf(remainder);
  }

  /**
   * Returns the estimate of all allocations of one kind of memory, with the remainder.
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
