/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrafficOptionsTest {
  @Test
  void readsTheTargetAndTheRates() {
    assertThat(TrafficOptions.parse(List.of("--target", "demo:8080", "--leaks-per-second", "0")))
        .isEqualTo(new TrafficOptions("demo", 8080, 200, 0));
  }

  @ParameterizedTest
  @CsvSource({
    "--target, demo, --target must be host:port",
    "--target, :80, --target must be host:port",
    "--target, demo:0, from 1 to 65535",
    "--requests-per-second, 0, --requests-per-second must be a number from 1 to 100000",
    "--leaks-per-second, 513, --leaks-per-second must be a number from 0 to 512",
    "--nothing, 1, unknown option --nothing",
  })
  void namesTheOptionThatIsWrong(String option, String value, String message) {
    assertThatThrownBy(() -> TrafficOptions.parse(List.of(option, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void requiresATarget() {
    assertThatThrownBy(() -> TrafficOptions.parse(List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--target must be host:port");
  }
}
