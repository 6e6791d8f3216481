/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

/** The chunks of an arena in one band of usage. */
public interface PoolChunkListMetric extends Iterable<PoolChunkMetric> {
  /** Returns the minimum usage of a chunk in this list in percent, 1 or more. */
  int minUsage();

  /** Returns the maximum usage of a chunk in this list in percent, up to 100. */
  int maxUsage();
}
