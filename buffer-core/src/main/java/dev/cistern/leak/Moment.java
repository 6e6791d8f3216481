/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import dev.cistern.leak.report.Age;
import java.util.concurrent.TimeUnit;

/**
 * A point in time on two clocks. Ages are differences on the clock that never jumps.
 *
 * @param nanos nanoseconds of the detector's clock
 * @param millis milliseconds since the epoch
 */
record Moment(long nanos, long millis) {
  long ageMillis(long bornNanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos - bornNanos);
  }

  Age age(long bornNanos) {
    return Age.of(ageMillis(bornNanos));
  }

  /** Returns another point in time in milliseconds since the epoch. */
  long millis(long otherNanos) {
    return millis - ageMillis(otherNanos);
  }
}
