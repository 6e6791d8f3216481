/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak.report;

import java.util.List;

/**
 * An immutable copy of the details of a live profile.
 *
 * @param largest the largest allocations: for each kind of memory the span since start and then
 *     that of the last hour, each with the largest first and one entry for each site
 * @param holders the sites that keep nearly empty chunks, those with the most bytes of chunks first
 * @param held the live buffers by site and holder, those with the most bytes first
 * @param pinned the live buffers that only slices keep, those with the most bytes first
 * @param directPeakBytes the largest estimate of live direct bytes within the last one to two
 *     seconds
 * @param heapPeakBytes the same for heap memory
 */
public record LiveDetail(
    List<LargestAllocation> largest,
    List<ChunkHolder> holders,
    List<HeldSite> held,
    List<PinnedSite> pinned,
    long directPeakBytes,
    long heapPeakBytes) {
  /** A detail without content. */
  public static final LiveDetail NONE =
      new LiveDetail(List.of(), List.of(), List.of(), List.of(), 0, 0);

  /** Limit of {@link #held} and of {@link #pinned}. */
  public static final int MAX_SITES = 32;

  /** Copies the lists. */
  public LiveDetail {
    largest = List.copyOf(largest);
    holders = List.copyOf(holders);
    held = List.copyOf(held);
    pinned = List.copyOf(pinned);
  }

  /**
   * Returns the peak of one kind of memory, in bytes.
   *
   * @param memory {@code direct} or {@code heap}
   */
  public long peakBytes(String memory) {
    return memory.equals("direct") ? directPeakBytes : heapPeakBytes;
  }
}
