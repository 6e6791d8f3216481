/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

/** The ticks of the library's detector, which a test performs itself. */
public final class DetectorTicks {
  private final LeakDetector detector;

  /** Creates the ticks of the detector. */
  public DetectorTicks(LibraryLeaks leaks) {
    detector = leaks.detector();
  }

  /** Performs the work that the detector's thread does about once per second. */
  public void tick() {
    int unused = detector.tick();
  }
}
