/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class TimeHistogramTest {
  @Test
  void keepsShortTimesExactly() {
    TimeHistogram histogram = new TimeHistogram();
    for (int nanos = 0; nanos < 128; nanos++) {
      histogram.clear();
      histogram.add(nanos);
      assertThat(histogram.percentile(0.5)).isEqualTo(nanos);
      assertThat(histogram.percentile(1)).isEqualTo(nanos);
    }
  }

  @Test
  void findsTheOneAmongTenThousand() {
    TimeHistogram histogram = new TimeHistogram();
    for (int i = 0; i < 9_999; i++) {
      histogram.add(20);
    }
    histogram.add(1 << 20);
    assertThat(histogram.percentile(0.9999)).isEqualTo(20);
    histogram.add(1 << 20);
    assertThat(histogram.percentile(0.9999)).isEqualTo(1 << 20);
    histogram.clear();
    assertThat(histogram.percentile(0.9999)).isNaN();
  }

  @Test
  void agreesWithASortedListWithinASixtyFourth() {
    SplittableRandom random = new SplittableRandom(20_261_125);
    TimeHistogram histogram = new TimeHistogram();
    long[] all = new long[20_000];
    for (int i = 0; i < all.length; i++) {
      all[i] = random.nextLong(1L << random.nextInt(1, 62));
      histogram.add(all[i]);
    }
    Arrays.sort(all);
    for (double share : new double[] {0.0001, 0.25, 0.5, 0.9, 0.999, 0.9999, 1}) {
      double exact = all[(int) Math.ceil(share * all.length) - 1];
      assertThat(histogram.percentile(share)).isBetween(exact * 63 / 64, exact);
    }
  }

  @Test
  void takesTheLongestTime() {
    TimeHistogram histogram = new TimeHistogram();
    histogram.add(Long.MAX_VALUE);
    assertThat(histogram.percentile(1)).isBetween(Long.MAX_VALUE / 64.0 * 63, 0x1p63);
  }
}
