/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package io.netty.util.internal;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntConsumer;
import org.jspecify.annotations.NullMarked;

/**
 * The class that the agent adds to Netty's package of {@code PlatformDependent}. It is renamed with
 * the package if Netty is relocated. Netty's own count of direct memory calls it before an
 * increment, so that the agent's pools can free unused memory before Netty refuses the request.
 */
@NullMarked
public final class CisternMemory {
  /**
   * The actions, one for each bridge. Several bridges share this class if several copies of Netty's
   * buffers do. References are weak, because the class loaders of the actions may be unloaded
   * before this class is.
   */
  private static final List<WeakReference<IntConsumer>> ACTIONS = new CopyOnWriteArrayList<>();

  private CisternMemory() {}

  /**
   * Adds an action that Netty's requests call with their bytes.
   *
   * @param action kept weakly
   */
  public static void beforeReserve(IntConsumer action) {
    ACTIONS.removeIf(known -> known.refersTo(null) || known.refersTo(action));
    ACTIONS.add(new WeakReference<>(action));
  }

  /** Runs the actions. The instrumented counter calls it. Never throws into the host. */
  public static void reserving(int bytes) {
    try {
      for (WeakReference<IntConsumer> known : ACTIONS) {
        IntConsumer action = known.get();
        if (action != null) {
          action.accept(bytes);
        }
      }
    } catch (Throwable failure) {
      // Netty counts and refuses as it does without the agent.
    }
  }
}
