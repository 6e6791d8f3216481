/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.pool.BufferPool;
import dev.cistern.pool.PoolInvariants;
import dev.cistern.pool.QuarantineEnd;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * After each test: the shared pools are as pools must be, and the test released what it allocated.
 */
public final class PoolCheck implements BeforeEachCallback, AfterEachCallback {
  private static final Namespace NAMESPACE = Namespace.create(PoolCheck.class);
  private static final String HELD_BEFORE = "held before";

  @Override
  public void beforeEach(ExtensionContext context) {
    context.getStore(NAMESPACE).put(HELD_BEFORE, heldBytes());
  }

  @Override
  public void afterEach(ExtensionContext context) {
    if (context.getExecutionException().isPresent()) {
      return; // it says more than the leak that may follow from it
    }
    TestAllocators.pools().forEach(PoolInvariants::check);
    long before = context.getStore(NAMESPACE).get(HELD_BEFORE, Long.class);
    long leaked = heldBytes() - before;
    if (leaked != 0) {
      throw new AssertionError(context.getDisplayName() + " leaves " + leaked + " bytes");
    }
  }

  private static long heldBytes() {
    long bytes = 0;
    for (BufferPool pool : TestAllocators.pools()) {
      QuarantineEnd.of(pool); // what rests is in use for the pool
      bytes += pool.snapshot().pinnedBytes();
    }
    ByteBufAllocatorMetric unpooled = TestAllocators.UNPOOLED.metric();
    return bytes + unpooled.usedDirectMemory() + unpooled.usedHeapMemory();
  }
}
