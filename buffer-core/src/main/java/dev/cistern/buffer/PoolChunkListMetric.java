/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

/** The chunks of an arena in one band of usage. */
public interface PoolChunkListMetric extends Iterable<PoolChunkMetric> {
  /** Returns the usage from which on a chunk may be here, in percent, at least 1. */
  int minUsage();

  /** Returns the usage up to which a chunk may be here, in percent, at most 100. */
  int maxUsage();
}
