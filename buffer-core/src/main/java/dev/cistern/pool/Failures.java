/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import org.jspecify.annotations.Nullable;

/**
 * Helpers for steps that must all be done, even if one fails. The caller throws the first failure
 * after the last step. They allocate nothing.
 */
final class Failures {
  private Failures() {}

  static Throwable first(@Nullable Throwable before, Throwable now) {
    return before != null ? before : now;
  }

  /** Throws {@code failed}, which must be unchecked, unless it is null. */
  static void rethrow(@Nullable Throwable failed) {
    if (failed instanceof Error error) {
      throw error;
    } else if (failed instanceof RuntimeException exception) {
      throw exception;
    }
  }
}
