/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import org.jspecify.annotations.Nullable;

/**
 * An object that is given back by hand: it starts with a count of 1, {@link #retain} adds to it,
 * {@link #release} takes from it, and at 0 its resources go back to where they came from.
 */
public interface ReferenceCounted {
  /** The count; 0 once released. */
  int refCnt();

  /**
   * Adds 1 to the count.
   *
   * @throws IllegalReferenceCountException if released already, or if the count is at its maximum
   */
  ReferenceCounted retain();

  /**
   * Adds {@code increment} to the count.
   *
   * @throws IllegalReferenceCountException if released already, or if the count would overflow
   * @throws IllegalArgumentException if {@code increment} is not positive
   */
  ReferenceCounted retain(int increment);

  /** Leaves a trace of the caller where a leak of this object is being looked for. */
  default ReferenceCounted touch() {
    return touch(null);
  }

  /** As {@link #touch()}, with a hint that the trace shows. */
  ReferenceCounted touch(@Nullable Object hint);

  /**
   * Takes 1 from the count.
   *
   * @return true if the count reached 0 by this call
   * @throws IllegalReferenceCountException if released already
   */
  default boolean release() {
    return release(1);
  }

  /**
   * Takes {@code decrement} from the count.
   *
   * @return true if the count reached 0 by this call
   * @throws IllegalReferenceCountException if the count is smaller than {@code decrement}
   * @throws IllegalArgumentException if {@code decrement} is not positive
   */
  boolean release(int decrement);
}
