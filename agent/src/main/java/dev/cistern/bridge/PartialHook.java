/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CisternHook;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The hook that serves a random part of the allocations and leaves the remaining ones to Netty. It
 * is a separate class, loaded when a percentage is set. Before that, {@link BridgeHook} is the only
 * hook that the JIT compiler knows, so a copy that is served as a whole pays nothing for the
 * choice.
 */
final class PartialHook extends CisternHook {
  private static final int ALL = 100;

  private final BridgeHook whole;
  private final int percent;

  private PartialHook(BridgeHook whole, int percent) {
    this.whole = whole;
    this.percent = percent;
  }

  /** Returns a hook of this class as its supertype, so that the caller does not load the class. */
  static CisternHook of(BridgeHook whole, int percent) {
    return new PartialHook(whole, percent);
  }

  private boolean isDrawn() {
    return ThreadLocalRandom.current().nextInt(ALL) < percent;
  }

  @Override
  protected @Nullable ByteBuf newDirect(
      AbstractByteBufAllocator allocator, int initialCapacity, int maxCapacity) {
    return isDrawn() ? whole.newDirect(allocator, initialCapacity, maxCapacity) : null;
  }

  @Override
  protected @Nullable ByteBuf newHeap(
      AbstractByteBufAllocator allocator, int initialCapacity, int maxCapacity) {
    return isDrawn() ? whole.newHeap(allocator, initialCapacity, maxCapacity) : null;
  }

  @Override
  protected void failed(Throwable failure, boolean isDirect) {
    whole.failed(failure, isDirect);
  }
}
