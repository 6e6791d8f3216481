/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.leak.WatchFailures;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CisternHolders;
import io.netty.buffer.CompositeByteBuf;

/** Records who holds the sampled buffers: what they were passed to, and their slices. */
final class HolderObserver extends CisternHolders {
  private static final HolderObserver INSTANCE = new HolderObserver();

  static void turn(boolean on) {
    watching(on ? INSTANCE : null);
  }

  @Override
  protected void touchedAll(CompositeByteBuf buffer, Object hint) {}

  @Override
  protected void touchedRoot(ByteBuf buffer, Object hint) {}

  @Override
  protected void counted(Object derived, ByteBuf root, ByteBuf parent, int length) {}

  @Override
  protected void uncounted(Object slice, ByteBuf root, int length) {}

  @Override
  protected void failed(Throwable failure) {
    WatchFailures.add(failure);
  }
}
