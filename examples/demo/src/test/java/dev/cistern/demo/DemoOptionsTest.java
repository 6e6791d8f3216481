/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DemoOptionsTest {
  @Test
  void hasFixedPortsSoThatTheyCanBeTyped() {
    DemoOptions options = DemoOptions.parse(List.of());
    assertThat(options.port()).isEqualTo(8080);
    assertThat(options.tlsPort()).isEqualTo(8443);
    assertThat(options.metricsPort()).isEqualTo(9471);
  }

  @Test
  void onceTakesFreePortsUnlessTheyAreGiven() {
    DemoOptions options = DemoOptions.parse(List.of("--port", "8080", "--once"));
    assertThat(options.once()).isTrue();
    assertThat(options.port()).isEqualTo(8080);
    assertThat(options.tlsPort()).isZero();
    assertThat(options.metricsPort()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "--port, x, --port must be a number from 0 to 65535",
    "--port, 65536, not 65536",
    "--load-seconds, 0, --load-seconds must be a number from 1 to 600",
    "--netty, 3.10, --netty must be 4.1 or 4.2",
    "--nothing, 1, unknown option --nothing",
  })
  void namesTheOptionThatIsWrong(String option, String value, String message) {
    assertThatThrownBy(() -> DemoOptions.parse(List.of(option, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void namesTheOptionWithoutItsValue() {
    assertThatThrownBy(() -> DemoOptions.parse(List.of("--netty")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--netty needs a value");
  }
}
