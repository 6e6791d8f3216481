/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NettyAllocatorReportTest {
  /** Values that were read at different times can be inconsistent. */
  @Test
  void reservedIsPinnedPlusCachedPlusFreeForAnyReadings() {
    NettyAllocatorReport part =
        new NettyAllocatorReport(
            1,
            true,
            "heap",
            1,
            10,
            1_000,
            1_200,
            300,
            0,
            0,
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            NettyAllocatorReport.UNKNOWN);
    assertThat(part.pinnedBytes() + part.cachedBytes() + part.freePageBytes()).isEqualTo(1_000);
    assertThat(part.cachedBytes()).isNotNegative();
  }

  private static long resident(long bytes) {
    return new NettyAllocatorReport(
            1, true, "direct", 1, 10, 1_000, 0, 0, 0, 0, List.of(), List.of(), List.of(), List.of(),
            bytes)
        .residentBytes();
  }

  @Test
  void residentBytesAreUnknownOrAPartOfTheReserved() {
    assertThat(resident(-7)).isEqualTo(NettyAllocatorReport.UNKNOWN);
    assertThat(resident(700)).isEqualTo(700);
    assertThat(resident(1_200)).isEqualTo(1_000);
  }
}
