/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import io.netty.util.internal.PlatformDependent;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * As Netty 4.1 draws it: without a cleaner, and counted by Netty; or where that is off, plain
 * direct buffers, which count only against the JVM's limit.
 */
final class PlainDraw implements NativeDraw {
  private final boolean noCleaner = PlatformDependent.useDirectBufferNoCleaner();

  @Override
  public Object draw(int bytes) {
    return noCleaner
        ? PlatformDependent.allocateDirectNoCleaner(bytes)
        : ByteBuffer.allocateDirect(bytes);
  }

  @Override
  public ByteBuffer view(Object drawn) {
    return (ByteBuffer) drawn;
  }

  @Override
  public @Nullable Object freedBy(Object drawn) {
    return noCleaner ? 0L : null;
  }

  @Override
  public void giveBack(Object drawn) {
    if (noCleaner) {
      PlatformDependent.freeDirectNoCleaner((ByteBuffer) drawn);
    } else {
      PlatformDependent.freeDirectBuffer((ByteBuffer) drawn);
    }
  }
}
