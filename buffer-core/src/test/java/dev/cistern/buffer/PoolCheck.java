/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.pool.BufferPool;
import dev.cistern.pool.PoolInvariants;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * After each test: the shared pools are as pools must be, and the test released what it allocated.
 */
final class PoolCheck implements AfterEachCallback {
  @Override
  public void afterEach(ExtensionContext context) {
    if (context.getExecutionException().isPresent()) {
      return; // it says more than the leak that may follow from it
    }
    for (BufferPool pool : TestAllocators.pools()) {
      PoolInvariants.check(pool);
      long pinned = pool.snapshot().pinnedBytes();
      if (pinned != 0) {
        throw new AssertionError(context.getDisplayName() + " leaves " + pinned + " B in " + pool);
      }
    }
    ByteBufAllocatorMetric unpooled = TestAllocators.UNPOOLED.metric();
    if (unpooled.usedDirectMemory() != 0 || unpooled.usedHeapMemory() != 0) {
      throw new AssertionError(context.getDisplayName() + " leaves " + unpooled);
    }
  }
}
