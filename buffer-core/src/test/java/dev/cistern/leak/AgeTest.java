/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.leak.report.Age;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgeTest {
  @ParameterizedTest
  @CsvSource({
    "-1, UNDER_10_SECONDS",
    "0, UNDER_10_SECONDS",
    "9999, UNDER_10_SECONDS",
    "10000, UNDER_1_MINUTE",
    "59999, UNDER_1_MINUTE",
    "60000, UNDER_10_MINUTES",
    "599999, UNDER_10_MINUTES",
    "600000, OLDER",
    "9223372036854775806, OLDER",
    "9223372036854775807, OLDER"
  })
  void aBandEndsBeforeTheNextBegins(long millis, Age band) {
    assertThat(Age.of(millis)).isEqualTo(band);
  }

  @ParameterizedTest
  @CsvSource({"9999, UNDER_10_SECONDS", "10000, UNDER_1_MINUTE"})
  void anAgeIsMeasuredByAMonotonicClock(long millis, Age band) {
    Moment now = new Moment(Long.MIN_VALUE + 5, 1_000_000); // the nanosecond clock wraps
    long born = now.nanos() - TimeUnit.MILLISECONDS.toNanos(millis);
    assertThat(now.age(born)).isEqualTo(band);
    assertThat(now.millis(born)).isEqualTo(1_000_000 - millis);
  }
}
