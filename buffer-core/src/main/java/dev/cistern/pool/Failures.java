/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import org.jspecify.annotations.Nullable;

/**
 * Helpers for several steps that must all be taken, also if one fails. The first failure is thrown
 * after the last step. They allocate nothing.
 */
final class Failures {
  private Failures() {}

  static Throwable first(@Nullable Throwable before, Throwable now) {
    return before != null ? before : now;
  }

  /** Throws {@code failed}, which is unchecked, unless it is null. */
  static void rethrow(@Nullable Throwable failed) {
    if (failed instanceof Error error) {
      throw error;
    } else if (failed instanceof RuntimeException exception) {
      throw exception;
    }
  }
}
