/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.memory.HeapMemorySource;
import dev.cistern.memory.MemoryKind;
import dev.cistern.pool.BufferPool;

/** This copy's two pools; constants of this class loader, which the compiler folds. */
final class Pools {
  static final BridgePool DIRECT = new BridgePool(MemoryKind.DIRECT, HostDirectMemory.INSTANCE);
  static final BridgePool HEAP =
      new BridgePool(
          MemoryKind.HEAP, new HeapMemorySource(BridgeSettings.current().uninitializedArrays()));

  /** What the hot path calls, without a way over {@link BridgePool}. */
  static final BufferPool DIRECT_ENGINE = DIRECT.engine();

  static final BufferPool HEAP_ENGINE = HEAP.engine();

  static {
    HostView.poolsAreMade();
  }

  private Pools() {}
}
