/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.util.internal.Settings;

/**
 * Which checks every access makes. Constants, so that what is off costs nothing.
 *
 * <p>Without them a use after release or an index out of bounds may crash the JVM.
 */
final class Checks {
  /** {@code -Dcistern.buffer.checkAccessible}: access to a released buffer is refused. */
  static final boolean CHECK_ACCESSIBLE = Settings.flag("buffer.checkAccessible", true);

  /** {@code -Dcistern.buffer.checkBounds}: access outside of the capacity is refused. */
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
