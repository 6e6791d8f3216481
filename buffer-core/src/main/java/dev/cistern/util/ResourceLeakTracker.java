/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import org.jspecify.annotations.Nullable;

/**
 * Watches one object until it is {@link #close closed}, and keeps where it was used.
 *
 * @param <T> the type of the object
 */
public interface ResourceLeakTracker<T> {
  /** Records an access to the object, with the stack of the caller. */
  void record();

  /**
   * As {@link #record()}.
   *
   * @param hint shown with the stack: its {@code toString()}, or what a {@link ResourceLeakHint}
   *     says; null for none
   */
  void record(@Nullable Object hint);

  /**
   * Ends the watch: the object was released as it should be.
   *
   * @param trackedObject the object that is watched; it is kept alive until the watch has ended
   * @return false if the watch had ended before
   */
  boolean close(T trackedObject);
}
