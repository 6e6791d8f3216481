/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.leak.LeakSettings;
import dev.cistern.util.ResourceLeakTracker;
import org.jspecify.annotations.Nullable;

/**
 * The end of a watched buffer. Nearly all buffers are not watched, so this code must not be part of
 * the code of each release.
 *
 * <p>On JDK 17, the JVM's optimizing compiler inlines a call that was made 100 times, however rare
 * it is (docs/internals/decisions/0040). It never inlines a static method of a subclass of {@link Throwable}
 * into another class's code, unless the method that it compiles calls it directly. No object of
 * this class is ever made.
 */
@SuppressWarnings("serial") // there are no objects
final class WatchEnd extends Throwable {
  private WatchEnd() {}

  /** Loads this class. */
  static void load() {}

  /** Ends the watch of a buffer; true if its slot is to rest before it is handed out again. */
  static boolean isForQuarantine(@Nullable ResourceLeakTracker<ByteBuf> tracker, ByteBuf buffer) {
    LeakTracking.close(tracker, buffer);
    return LeakSettings.isParanoid();
  }
}
