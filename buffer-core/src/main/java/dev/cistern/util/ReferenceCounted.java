/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import org.jspecify.annotations.Nullable;

/**
 * An object with a reference count, which code must release explicitly. The count starts at 1,
 * {@link #retain} increases it, and {@link #release} decreases it. At 0, the object frees its
 * resources.
 */
public interface ReferenceCounted {
  /** Returns the count; 0 after the last release. */
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

  /** Records an access by the caller if a leak detector tracks this object. */
  default ReferenceCounted touch() {
    return touch(null);
  }

  /** Records an access with a hint for the report, as {@link #touch()} does. */
  ReferenceCounted touch(@Nullable Object hint);

  /**
   * Subtracts 1 from the count.
   *
   * @return true if this call has reduced the count to 0
   * @throws IllegalReferenceCountException if released already
   */
  default boolean release() {
    return release(1);
  }

  /**
   * Subtracts {@code decrement} from the count.
   *
   * @return true if this call has reduced the count to 0
   * @throws IllegalReferenceCountException if the count is smaller than {@code decrement}
   * @throws IllegalArgumentException if {@code decrement} is not positive
   */
  boolean release(int decrement);
}
