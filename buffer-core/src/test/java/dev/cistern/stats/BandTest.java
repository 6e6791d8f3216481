/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stats;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Seed rows A4 and F3. */
class BandTest {
  @Test
  @Tag("A4")
  void aChunkCrossesSeveralBandsAtOnce() {
    assertThat(Band.Q100.next(10)).isEqualTo(Band.Q000);
    assertThat(Band.QINIT.next(80)).isEqualTo(Band.Q050);
    assertThat(Band.QINIT.next(100)).isEqualTo(Band.Q100);
  }

  @Test
  @Tag("A4")
  void bandsOverlapSoThatABorderIsNotCrossedTwice() {
    assertThat(Band.Q025.next(74)).isEqualTo(Band.Q025);
    assertThat(Band.Q025.next(75)).isEqualTo(Band.Q050);
    assertThat(Band.Q050.next(60)).isEqualTo(Band.Q050);
    assertThat(Band.Q050.next(49)).isEqualTo(Band.Q025);
  }

  @Test
  @Tag("A4")
  void onlyAFullChunkIsInTheFullBand() {
    for (Band band : Band.values()) {
      assertThat(band.next(100)).isEqualTo(Band.Q100);
      assertThat(band.next(99)).isNotEqualTo(Band.Q100);
    }
  }

  @Test
  @Tag("F3")
  void usagesArePercentagesAtBothEnds() {
    assertThat(Band.QINIT.minUsage()).isZero();
    assertThat(Band.Q000.minUsage()).isEqualTo(1);
    assertThat(Band.Q075.maxUsage()).isEqualTo(100);
    assertThat(Band.Q100.minUsage()).isEqualTo(100);
    for (Band band : Band.values()) {
      assertThat(band.minUsage()).isBetween(0, 100).isLessThanOrEqualTo(band.maxUsage());
    }
  }
}
