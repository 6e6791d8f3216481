/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AcceptHeaderTest {
  private static final MediaType TEXT = MediaType.parse("text/plain; version=0.0.4; charset=utf-8");
  private static final MediaType OPEN =
      MediaType.parse("application/openmetrics-text; version=1.0.0; charset=utf-8");

  private static MediaType choose(String... lines) {
    return AcceptHeader.parse(List.of(lines)).choose(List.of(TEXT, OPEN));
  }

  /**
   * The headers of Prometheus: 2.42, by default and with native histograms; 3.x by default, in
   * particular 3.3, with protobuf first, and with escaped names.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/openmetrics-text;version=1.0.0,"
            + "application/openmetrics-text;version=0.0.1;q=0.75,"
            + "text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
        "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;"
            + "encoding=delimited,application/openmetrics-text;version=1.0.0;q=0.8,"
            + "application/openmetrics-text;version=0.0.1;q=0.75,"
            + "text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
        "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,"
            + "application/openmetrics-text;version=0.0.1;escaping=allow-utf-8;q=0.5,"
            + "text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,"
            + "text/plain;version=0.0.4;escaping=allow-utf-8;q=0.3,*/*;q=0.2",
        "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;"
            + "encoding=delimited;q=0.6,"
            + "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,"
            + "application/openmetrics-text;version=0.0.1;q=0.4,"
            + "text/plain;version=1.0.0;escaping=allow-utf-8;q=0.3,"
            + "text/plain;version=0.0.4;q=0.2,*/*;q=0.1",
        "application/openmetrics-text;version=1.0.0;escaping=underscores;q=0.6,"
            + "application/openmetrics-text;version=0.0.1;q=0.5,"
            + "text/plain;version=1.0.0;escaping=underscores;q=0.4,"
            + "text/plain;version=0.0.4;q=0.3,*/*;q=0.2",
        "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,"
            + "application/openmetrics-text;version=0.0.1;q=0.5,"
            + "text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,"
            + "text/plain;version=0.0.4;q=0.3,*/*;q=0.2",
        "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;"
            + "encoding=delimited;q=0.6,application/openmetrics-text;version=1.0.0;q=0.5,"
            + "text/plain;version=0.0.4;q=0.3,*/*;q=0.2",
      })
  void prometheusGetsOpenMetrics(String header) {
    assertEquals(OPEN, choose(header));
  }

  @Test
  void aServerConfiguredToPreferTextGetsText() {
    assertEquals(
        TEXT,
        choose(
            "text/plain;version=0.0.4;q=0.6,application/openmetrics-text;version=1.0.0;q=0.5,"
                + "*/*;q=0.2"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "*/*",
        "text/*",
        "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
        "application/openmetrics-text;version=0.0.1",
        "application/openmetrics-text;version=2.0.0",
        "application/openmetrics-text;q=0,*/*",
        "application/openmetrics-text;q=0.4,text/plain;q=0.5",
        "application/openmetrics-text;q=banana",
        "image/png",
        ";;;,,,/;q=",
      })
  void everyoneElseGetsText(String header) {
    assertEquals(TEXT, choose(header));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/openmetrics-text",
        "APPLICATION/OpenMetrics-Text; Version=\"1.0.0\"",
        "text/plain;q=0.1, application/*;q=0.2",
        "*/*;q=0.1, application/openmetrics-text;q=0.2",
        "text/plain;q=0, */*",
      })
  void clientsThatAcceptOpenMetricsGetIt(String header) {
    assertEquals(OPEN, choose(header));
  }

  @Test
  void aMorePreciseRangeDecidesInAnyOrder() {
    assertEquals(
        TEXT, choose("application/*;q=0.9,application/openmetrics-text;q=0.1,text/*;q=0.5"));
  }

  @Test
  void severalLinesAreOneHeader() {
    assertEquals(OPEN, choose("text/plain;q=0.5", "application/openmetrics-text"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gzip|true",
        "deflate, gzip;q=1.0, *;q=0.5|true",
        "*|true",
        "GZIP ; q=0.3|true",
        "''|false",
        "identity|false",
        "gzip;q=0|false",
        "gzip;q=0, *|false",
        "*;q=0|false",
        "gzip;q=x|false",
      })
  void gzipIsUsedIfItIsAllowed(String header, boolean allowed) {
    if (allowed) {
      assertTrue(AcceptHeader.allowsGzip(List.of(header)));
    } else {
      assertFalse(AcceptHeader.allowsGzip(List.of(header)));
    }
  }

  @Test
  void withoutAnEncodingHeaderThereIsNoGzip() {
    assertFalse(AcceptHeader.allowsGzip(List.of()));
  }
}
