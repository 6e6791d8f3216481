/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

/**
 * Memory is refused without asking for it, since it has just been refused. All that can be given
 * back was given back then; to look for more at each allocation would cost more than it finds.
 */
public final class NotAskedError extends OutOfMemoryError {
  private static final long serialVersionUID = 1;

  /**
   * Tells what was wanted.
   *
   * @param message the sizes, the limit, and the settings that change it
   */
  public NotAskedError(String message) {
    super(message);
  }

  /** None: it is thrown at the rate of allocations, and where from is known. */
  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
