/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.netty;

import org.jspecify.annotations.Nullable;

/** Failures as text. */
final class Failures {
  private static final int MAX_DEPTH = 100;

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
    // an exception of the host may be its own cause
    for (int i = 0; i < MAX_DEPTH && cause.getCause() != null; i++) {
      cause = cause.getCause();
    }
    return cause;
  }
}
