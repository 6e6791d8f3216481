/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

/** An allocator that says what it holds. */
public interface ByteBufAllocatorMetricProvider {
  /** Returns the allocator's figures. */
  ByteBufAllocatorMetric metric();
}
