/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SizeMixTest {
  private static final int COUNT = 100_000;
  private static final long SEED = 1;

  @ParameterizedTest
  @CsvSource({
    "PROXY, 64, 65536, 3500, 4300",
    "GATEWAY, 256, 262144, 7500, 8700",
    "SMALL, 16, 1024, 220, 265"
  })
  void hasTheSizesThatItSays(SizeMix mix, int least, int most, int meanFrom, int meanTo) {
    int[] sizes = mix.sizes(COUNT, SEED);
    assertThat(Arrays.stream(sizes).min().orElseThrow()).isBetween(least, least + least / 8);
    assertThat(Arrays.stream(sizes).max().orElseThrow()).isBetween(most - most / 8, most);
    assertThat(Arrays.stream(sizes).average().orElseThrow())
        .isBetween((double) meanFrom, (double) meanTo);
  }

  @ParameterizedTest
  @CsvSource({"PROXY", "GATEWAY"})
  void isTheSameForTheSameSeed(SizeMix mix) {
    int[] sizes = mix.sizes(100, SEED);
    int[] again = mix.sizes(100, SEED);
    assertThat(again).isEqualTo(sizes);
    assertThat(mix.sizes(100, SEED + 1)).isNotEqualTo(sizes);
  }
}
