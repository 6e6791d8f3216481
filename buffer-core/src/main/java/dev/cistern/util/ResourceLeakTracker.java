/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import org.jspecify.annotations.Nullable;

/**
 * A tracker of one object, which records accesses until it is {@link #close closed}.
 *
 * @param <T> the type of the object
 */
public interface ResourceLeakTracker<T> {
  /** Records an access to the object, with the stack of the caller. */
  void record();

  /**
   * Records an access to the object with a hint.
   *
   * @param hint an object whose text the report shows with the stack: its {@code toString()}, or
   *     the text of a {@link ResourceLeakHint}; null for none
   */
  void record(@Nullable Object hint);

  /**
   * Closes this tracker, because the object was released.
   *
   * @param trackedObject the tracked object, which stays reachable until the tracker is closed
   * @return false if the tracker was closed already
   */
  boolean close(T trackedObject);
}
