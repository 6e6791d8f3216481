/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

/** A faster clock for the library's detector. */
public final class FastClock {
  private final LeakDetector detector;

  /** Makes one second count as {@code factor} seconds from now on. */
  public FastClock(LibraryLeaks leaks, int factor) {
    detector = leaks.detector();
    long start = System.nanoTime();
    detector.clock(() -> start + (System.nanoTime() - start) * factor);
  }

  /** Performs the work that the detector's thread does about once per second. */
  public void tick() {
    int unused = detector.tick();
  }
}
