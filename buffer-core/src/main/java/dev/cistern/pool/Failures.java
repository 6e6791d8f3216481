/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import org.jspecify.annotations.Nullable;

/**
 * For steps that all have to be taken, also where one fails: the first failure is told when all are
 * done. Wants no memory.
 */
final class Failures {
  private Failures() {}

  static Throwable first(@Nullable Throwable before, Throwable now) {
    return before != null ? before : now;
  }

  /** Throws what failed, which is unchecked, if anything did. */
  static void rethrow(@Nullable Throwable failed) {
    if (failed instanceof Error error) {
      throw error;
    } else if (failed instanceof RuntimeException exception) {
      throw exception;
    }
  }
}
