/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

/**
 * Thrown for the use of a released object, and for a reference count that would leave its range.
 */
public class IllegalReferenceCountException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception without a message. */
  public IllegalReferenceCountException() {}

  /**
   * @param refCnt the current count
   */
  public IllegalReferenceCountException(int refCnt) {
    this("refCnt: " + refCnt);
  }

  /**
   * @param refCnt the current count
   * @param change the number to add to it
   */
  public IllegalReferenceCountException(int refCnt, int change) {
    this(
        "refCnt: %s, %s: %s"
            .formatted(refCnt, change > 0 ? "increment" : "decrement", Math.abs(change)));
  }

  /**
   * @param message the description of the failure
   */
  public IllegalReferenceCountException(String message) {
    super(message);
  }

  /**
   * @param message the description of the failure
   * @param cause the cause of the failure
   */
  public IllegalReferenceCountException(String message, Throwable cause) {
    super(message, cause);
  }

  /**
   * @param cause the cause of the failure
   */
  public IllegalReferenceCountException(Throwable cause) {
    super(cause);
  }
}
