/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty;

import dev.cistern.netty.pool.NettyPools;
import io.netty.buffer.ByteBufAllocatorMetric;

/** The memory of the pools in Netty's own terms. */
final class CisternAllocatorMetric implements ByteBufAllocatorMetric {
  @Override
  public long usedHeapMemory() {
    return NettyPools.HEAP_ENGINE.reservedBytes();
  }

  @Override
  public long usedDirectMemory() {
    return NettyPools.DIRECT_ENGINE.reservedBytes();
  }

  @Override
  public String toString() {
    return "usedHeapMemory: " + usedHeapMemory() + "; usedDirectMemory: " + usedDirectMemory();
  }
}
