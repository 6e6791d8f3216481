/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

/** A released object was used, or a reference count would have left its range. */
public class IllegalReferenceCountException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /** Without a message. */
  public IllegalReferenceCountException() {}

  /**
   * @param refCnt the count that was found
   */
  public IllegalReferenceCountException(int refCnt) {
    this("refCnt: " + refCnt);
  }

  /**
   * @param refCnt the count that was found
   * @param change what was to be added to it
   */
  public IllegalReferenceCountException(int refCnt, int change) {
    this(
        "refCnt: %s, %s: %s"
            .formatted(refCnt, change > 0 ? "increment" : "decrement", Math.abs(change)));
  }

  /**
   * @param message what went wrong
   */
  public IllegalReferenceCountException(String message) {
    super(message);
  }

  /**
   * @param message what went wrong
   * @param cause why
   */
  public IllegalReferenceCountException(String message, Throwable cause) {
    super(message, cause);
  }

  /**
   * @param cause why
   */
  public IllegalReferenceCountException(Throwable cause) {
    super(cause);
  }
}
