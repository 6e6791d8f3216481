/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

/**
 * The interface of a pool to its front end, which creates the objects that are bound to slots. The
 * pool calls it on slow paths only, on the thread that allocates.
 *
 * <p>{@link #bind} may run under the lock of a shared cache. It must not wait for another thread,
 * and must not allocate, because that may throw {@link IllegalStateException}. {@link #sampled}
 * runs under no lock, and may allocate.
 */
public interface SlotBinder {
  /** Returns a new object for a slot that is allocated for the first time. */
  Object bind(SlotGroup group, int index);

  /**
   * Receives an allocation that the byte sampler selected. The slot no longer refers to the object,
   * so that a leak tracker can watch it. The next allocation of the slot binds a new object.
   *
   * @param bound the object that the caller is about to receive
   * @param requestedBytes the bytes that the caller requested
   * @param weightBytes the bytes of allocations that this sample represents
   */
  void sampled(Object bound, int requestedBytes, long weightBytes);

  /**
   * Receives the event that an allocation is about to fail because memory is short. The pool calls
   * this under no lock. The method must not throw exceptions.
   */
  default void exhausted() {}
}
