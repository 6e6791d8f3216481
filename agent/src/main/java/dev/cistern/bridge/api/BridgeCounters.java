/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge.api;

/**
 * Allocation counters of one Netty copy since its bridge was opened.
 *
 * @param served number of allocations that the pools served, without those of the self-test
 * @param fallbacks number of allocations that Netty served because the pool had no memory
 * @param failures number of faults in allocations and releases
 */
public record BridgeCounters(long served, long fallbacks, long failures) {
  /** Counters of a copy without a bridge. */
  public static final BridgeCounters NONE = new BridgeCounters(0, 0, 0);
}
