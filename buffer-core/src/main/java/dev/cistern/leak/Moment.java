/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import dev.cistern.leak.report.Age;
import java.util.concurrent.TimeUnit;

/**
 * A moment on both clocks: ages come from the one that never jumps.
 *
 * @param nanos by the clock of the detector
 * @param millis since the epoch
 */
record Moment(long nanos, long millis) {
  long ageMillis(long bornNanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos - bornNanos);
  }

  Age age(long bornNanos) {
    return Age.of(ageMillis(bornNanos));
  }

  /** Another moment's place on the clock of the epoch, as that goes now. */
  long millis(long otherNanos) {
    return millis - ageMillis(otherNanos);
  }
}
