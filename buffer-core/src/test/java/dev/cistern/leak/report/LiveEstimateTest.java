/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak.report;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class LiveEstimateTest {
  @Test
  void anEstimateHasEachBandOfAge() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LiveEstimate(0, 0, 0, 0, 0, List.of(1.0)))
        .withMessage("bytesByAge: 1 (expected: 4)");
  }
}
