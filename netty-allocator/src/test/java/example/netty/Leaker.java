/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.netty;

import dev.cistern.netty.CisternAllocator;
import io.netty.buffer.ByteBuf;
import java.util.function.BooleanSupplier;

/**
 * An application that leaks buffers. It is in another package, because Cistern's packages are no
 * allocation sites.
 */
public final class Leaker {
  private static final int MAX_BUFFERS = 10_000_000;

  private Leaker() {}

  /** Leaks buffers until one of them is watched. */
  public static void leakUntil(BooleanSupplier isWatched) {
    for (int i = 0; i < MAX_BUFFERS; i++) {
      leak();
      if (isWatched.getAsBoolean()) {
        return;
      }
    }
    throw new AssertionError("no buffer was watched");
  }

  private static void leak() {
    ByteBuf buffer = CisternAllocator.DEFAULT.directBuffer(300);
    buffer.touch("the handler that lost it");
  }
}
