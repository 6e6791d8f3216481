/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stats;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of the usage bands of chunks. */
class UsageBandTest {
  @Test
  @Tag("A4")
  void aChunkCrossesSeveralBandsAtOnce() {
    assertThat(UsageBand.Q100.next(10)).isEqualTo(UsageBand.Q000);
    assertThat(UsageBand.QINIT.next(80)).isEqualTo(UsageBand.Q050);
    assertThat(UsageBand.QINIT.next(100)).isEqualTo(UsageBand.Q100);
  }

  @Test
  @Tag("A4")
  void bandsOverlapSoThatABorderIsNotCrossedTwice() {
    assertThat(UsageBand.Q025.next(74)).isEqualTo(UsageBand.Q025);
    assertThat(UsageBand.Q025.next(75)).isEqualTo(UsageBand.Q050);
    assertThat(UsageBand.Q050.next(60)).isEqualTo(UsageBand.Q050);
    assertThat(UsageBand.Q050.next(49)).isEqualTo(UsageBand.Q025);
  }

  @Test
  @Tag("A4")
  void onlyAFullChunkIsInTheFullBand() {
    for (UsageBand band : UsageBand.values()) {
      assertThat(band.next(100)).isEqualTo(UsageBand.Q100);
      assertThat(band.next(99)).isNotEqualTo(UsageBand.Q100);
    }
  }

  @Test
  @Tag("F3")
  void usagesArePercentagesAtBothEnds() {
    assertThat(UsageBand.QINIT.minUsage()).isZero();
    assertThat(UsageBand.Q000.minUsage()).isEqualTo(1);
    assertThat(UsageBand.Q075.maxUsage()).isEqualTo(100);
    assertThat(UsageBand.Q100.minUsage()).isEqualTo(100);
    for (UsageBand band : UsageBand.values()) {
      assertThat(band.minUsage()).isBetween(0, 100).isLessThanOrEqualTo(band.maxUsage());
    }
  }
}
