/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.push;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryAfterTest {
  /** 2026-11-27T12:00:00Z. */
  private static final long NOW_MILLIS = 1_795_780_800_000L;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0|0",
        "7|7000",
        "' 7 '|7000",
        "3600|3600000",
        "3601|3600000",
        "99999999999999999999|3600000",
        "Fri, 27 Nov 2026 12:01:15 GMT|75000",
        "Fri, 27 Nov 2026 11:00:00 GMT|0",
        "Sat, 28 Nov 2026 12:00:00 GMT|3600000",
        "-7|0",
        "7.5|0",
        "soon|0",
        "''|0",
        "٧|0",
      })
  void secondsOrADateAreRead(String header, long millis) {
    assertThat(RetryAfter.millis(header, NOW_MILLIS)).isEqualTo(millis);
  }

  @Test
  void withoutTheHeaderThereIsNoWait() {
    assertThat(RetryAfter.millis(null, NOW_MILLIS)).isZero();
  }
}
