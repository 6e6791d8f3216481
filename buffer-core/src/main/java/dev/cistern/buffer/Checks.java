/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.util.internal.Settings;

/**
 * The checks that every access makes. They are constants, so that a disabled check costs nothing.
 *
 * <p>Without these checks, a use after release or an index out of bounds may crash the JVM.
 */
final class Checks {
  /** Whether access to a released buffer is refused: {@code -Dcistern.buffer.checkAccessible}. */
  static final boolean CHECK_ACCESSIBLE = Settings.flag("buffer.checkAccessible", true);

  /** Whether access outside the capacity is refused: {@code -Dcistern.buffer.checkBounds}. */
  static final boolean CHECK_BOUNDS = Settings.flag("buffer.checkBounds", true);

  static {
    System.getLogger(Checks.class.getName())
        .log(
            System.Logger.Level.DEBUG,
            "cistern.buffer.checkAccessible={0}, cistern.buffer.checkBounds={1}",
            CHECK_ACCESSIBLE,
            CHECK_BOUNDS);
  }

  private Checks() {}
}
