/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PushOptionsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://pyroscope:4040",
        "https://profiles.example",
        "https://profiles.example/prefix/",
        "http://[::1]:4040"
      })
  void aUrlIsAnEndpoint(String endpoint) {
    assertThat(PushOptions.pyroscope(endpoint).endpoint()).isEqualTo(endpoint);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "pyroscope:4040",
        "ftp://pyroscope",
        "http://",
        "http://a b",
        "http://pyroscope/?tenant=1",
        "http://pyroscope/#1"
      })
  void anotherTextIsNoEndpoint(String endpoint) {
    assertThatThrownBy(() -> PushOptions.pyroscope(endpoint))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "endpoint: '"
                + PushOptions.shown(endpoint)
                + "' (expected: http://host:port or https://host:port, without a login)");
  }

  @Test
  void aLoginInAnEndpointIsRefusedAndNotShown() {
    assertThatThrownBy(() -> PushOptions.pyroscope("http://jane:hush@pyroscope"))
        .hasMessageStartingWith("endpoint: '...' (expected: ")
        .hasMessageNotContaining("hush");
  }

  @Test
  void anIntervalOutOfRangeIsRefused() {
    PushOptions options = PushOptions.pyroscope("http://pyroscope");
    assertThat(options.interval()).isEqualTo(Duration.ofSeconds(60));
    for (Duration interval : new Duration[] {Duration.ofMillis(999), Duration.ofSeconds(3_601)}) {
      assertThatThrownBy(() -> options.withInterval(interval))
          .hasMessage("interval: " + interval + " (expected: PT1S to PT1H)");
    }
  }

  @ParameterizedTest
  @CsvSource({"X Key,hush", "'',hush", "X-Key,'hush\r\nX: y'", "X-Key,hüsh"})
  void aMalformedHeaderIsRefusedAndNotShown(String name, String value) {
    PushOptions options = PushOptions.otlpProfiles("http://collector:4318");
    assertThatThrownBy(() -> options.withHeaders(Map.of(name, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("header: ")
        .hasMessageNotContaining(value);
  }

  @Test
  void aUserWithAColonIsRefused() {
    for (String user : new String[] {"a:b", "a\n"}) {
      assertThatThrownBy(() -> new PushCredentials(user, Path.of("token")))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void theTenantIsAHeader() {
    assertThat(PushOptions.pyroscope("http://pyroscope").withTenant("shop").headers())
        .isEqualTo(Map.of("X-Scope-OrgID", "shop"));
  }
}
