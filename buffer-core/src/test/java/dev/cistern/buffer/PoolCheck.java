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
 * Extension that checks after each test that the invariants of the shared pools hold, and that the
 * test released its buffers.
 */
public final class PoolCheck implements BeforeEachCallback, AfterEachCallback {
  private static final Namespace NAMESPACE = Namespace.create(PoolCheck.class);
  private static final String USED_BEFORE = "used before";

  @Override
  public void beforeEach(ExtensionContext context) {
    context.getStore(NAMESPACE).put(USED_BEFORE, usedBytes());
  }

  @Override
  public void afterEach(ExtensionContext context) {
    if (context.getExecutionException().isPresent()) {
      return; // its message is more useful than that of a leak it caused
    }
    TestAllocators.pools().forEach(PoolInvariants::check);
    long before = context.getStore(NAMESPACE).get(USED_BEFORE, Long.class);
    long leaked = usedBytes() - before;
    if (leaked != 0) {
      throw new AssertionError(context.getDisplayName() + " leaves " + leaked + " bytes");
    }
  }

  private static long usedBytes() {
    long bytes = 0;
    for (BufferPool pool : TestAllocators.pools()) {
      QuarantineEnd.of(pool); // The pool counts slots in quarantine as in use.
      bytes += pool.snapshot().pinnedBytes();
    }
    ByteBufAllocatorMetric unpooled = TestAllocators.UNPOOLED.metric();
    return bytes + unpooled.usedDirectMemory() + unpooled.usedHeapMemory();
  }
}
