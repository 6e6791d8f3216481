/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

/**
 * What a front end plugs into a pool: it makes the objects that are bound to slots. The pool calls
 * it on slow paths only, from the thread that allocates.
 *
 * <p>{@link #bind} may run under the lock of a cache that threads share: it must not wait for
 * another thread, nor allocate, which may throw {@link IllegalStateException} then. {@link
 * #sampled} runs under no lock, and may itself allocate.
 */
public interface SlotBinder {
  /** Makes the object for a slot that is handed out for the first time. */
  Object bind(SlotGroup group, int index);

  /**
   * The byte sampler drew this allocation. The slot has let go of the object already, so that a
   * leak tracker may watch it; a new one is bound when the slot is next handed out.
   *
   * @param bound the object that the caller is about to receive
   * @param requestedBytes what the caller asked for
   * @param weightBytes the bytes of allocations that this sample stands for
   */
  void sampled(Object bound, int requestedBytes, long weightBytes);

  /** An allocation is about to fail for want of memory. Runs under no lock, and must not throw. */
  default void exhausted() {}
}
