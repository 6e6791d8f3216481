/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

/** An allocator that reports its memory use. */
public interface ByteBufAllocatorMetricProvider {
  /** Returns the metrics of the allocator. */
  ByteBufAllocatorMetric metric();
}
