/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.netty;

import org.jspecify.annotations.Nullable;

/** Failures as text. */
final class Failures {
  private Failures() {}

  /** Returns the message of an {@link ActivationException}, otherwise the innermost cause. */
  static String reason(Throwable failure) {
    return failure instanceof ActivationException
        ? String.valueOf(failure.getMessage())
        : innermost(failure).toString();
  }

  /** Returns the fault behind a failure, or null if the copy is just not suitable. */
  static @Nullable Throwable thrown(Throwable failure) {
    return failure instanceof ActivationException ? failure.getCause() : failure;
  }

  /** Returns the message of the innermost cause, which is the most specific. */
  static String message(Throwable failure) {
    return String.valueOf(innermost(failure).getMessage());
  }

  private static Throwable innermost(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }
}
