/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package io.netty.util.internal;

import java.lang.ref.WeakReference;
import java.util.function.IntConsumer;
import org.jspecify.annotations.NullMarked;

/**
 * The class that the agent adds to Netty's package of {@code PlatformDependent}, renamed with it if
 * Netty is relocated. Netty's own count of direct memory calls it before it adds to itself, so that
 * our pool can give up unused memory instead of having Netty refuse the request.
 */
@NullMarked
public final class CisternMemory {
  /** Weak: another class loader may have made it, and may go before this class does. */
  private static volatile WeakReference<IntConsumer> beforeReserve = new WeakReference<>(null);

  private CisternMemory() {}

  /**
   * Sets what Netty's requests call, with their bytes.
   *
   * @param action kept weakly
   */
  public static void beforeReserve(IntConsumer action) {
    beforeReserve = new WeakReference<>(action);
  }

  /** Called by the woven counter: never throws into the host. */
  public static void reserving(int bytes) {
    try {
      IntConsumer action = beforeReserve.get();
      if (action != null) {
        action.accept(bytes);
      }
    } catch (Throwable failure) {
      // Netty counts and refuses as it would without us.
    }
  }
}
