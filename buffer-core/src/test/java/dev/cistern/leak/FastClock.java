/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

/** Lets time pass faster for the library's detector, and looks after it as often. */
public final class FastClock {
  private final LeakDetector detector;

  /** One second is {@code factor} seconds from now on. */
  public FastClock(LibraryLeaks leaks, int factor) {
    detector = leaks.detector();
    long start = System.nanoTime();
    detector.clock(() -> start + (System.nanoTime() - start) * factor);
  }

  /** What the detector's thread does about once a second. */
  public void tick() {
    int unused = detector.tick();
  }
}
