/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import java.lang.ref.WeakReference;

/**
 * A count of garbage collections, as ticks see them. An unreferenced object is collected with the
 * next collection of young objects.
 */
final class ObservedCollections {
  private static volatile int count;

  /** Reference to an unreferenced object. The agent's thread only. */
  private static WeakReference<Object> unreferenced = new WeakReference<>(new Object());

  private ObservedCollections() {}

  /** Returns the number of ticks that have seen a collection since the tick before. */
  static int count() {
    return count;
  }

  static void tick() {
    if (unreferenced.refersTo(null)) {
      unreferenced = new WeakReference<>(new Object());
      int before = count; // only this thread writes it
      count = before + 1;
    }
  }
}
