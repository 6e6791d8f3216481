/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import example.leaky.Sites;

/**
 * Allocations whose site is a line of {@link Sites}, because reports leave out frames of Cistern,
 * such as this class.
 */
final class AtSites {
  private AtSites() {}

  static LeakTracker<Object> track(LeakDetector detector, int site, Object buffer, Sample sample) {
    return Sites.at(site, () -> detector.track(buffer, sample));
  }
}
