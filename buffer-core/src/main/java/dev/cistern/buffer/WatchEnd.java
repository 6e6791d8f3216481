/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.leak.LeakSettings;
import dev.cistern.util.ResourceLeakTracker;
import org.jspecify.annotations.Nullable;

/**
 * The end of the tracking of a buffer. Most buffers are not tracked, so this code must not be part
 * of the code of each release.
 *
 * <p>On JDK 17, the JVM's optimizing compiler inlines a call that was made 100 times, however rare
 * it is (docs/internals/decisions/0040). It never inlines a static method of a subclass of {@link
 * Throwable} into the code of another class, unless the method that it compiles calls it directly.
 * The class has no instances.
 */
@SuppressWarnings("serial") // there are no objects
final class WatchEnd extends Throwable {
  private WatchEnd() {}

  /** Loads this class. */
  static void load() {}

  /**
   * Ends the tracking of a buffer. Returns whether its slot must be put into quarantine before its
   * next allocation.
   */
  static boolean isForQuarantine(@Nullable ResourceLeakTracker<ByteBuf> tracker, ByteBuf buffer) {
    LeakTracking.close(tracker, buffer);
    return LeakSettings.isParanoid();
  }
}
