/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

/**
 * Thrown without calling the memory source, which just refused a request. The pool had just
 * searched for unused memory; a search at each allocation would cost more than it finds.
 */
public final class MemoryBackoffError extends OutOfMemoryError {
  private static final long serialVersionUID = 1;

  /**
   * @param message the sizes, the limit, and the settings that change the limit
   */
  public MemoryBackoffError(String message) {
    super(message);
  }

  /**
   * Records no stack, because this error is thrown at the rate of allocations, and its origin is
   * known.
   */
  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
