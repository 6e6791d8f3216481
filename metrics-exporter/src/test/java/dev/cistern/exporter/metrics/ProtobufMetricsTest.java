/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.exporter.ExporterServer;
import dev.cistern.exporter.Reports;
import dev.cistern.exporter.Scrape;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.PrometheusProtobufWriter;
import io.prometheus.metrics.expositionformats.generated.com_google_protobuf_4_35_0.Metrics.BucketSpan;
import io.prometheus.metrics.expositionformats.generated.com_google_protobuf_4_35_0.Metrics.Histogram;
import io.prometheus.metrics.expositionformats.generated.com_google_protobuf_4_35_0.Metrics.Metric;
import io.prometheus.metrics.expositionformats.generated.com_google_protobuf_4_35_0.Metrics.MetricFamily;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The protobuf format of Prometheus, read by the client library's classes. */
class ProtobufMetricsTest {
  private final MetricSnapshots everything = Scrape.everything().collect();

  private static List<MetricFamily> read(byte[] encoded) throws IOException {
    ByteArrayInputStream in = new ByteArrayInputStream(encoded);
    List<MetricFamily> families = new ArrayList<>();
    for (MetricFamily next; (next = MetricFamily.parseDelimitedFrom(in)) != null; ) {
      families.add(next);
    }
    return families;
  }

  private static MetricFamily family(List<MetricFamily> families, String name) {
    return families.stream()
        .filter(family -> family.getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void itEqualsTheOutputOfTheClientLibrary() throws IOException {
    ByteArrayOutputStream theirs = new ByteArrayOutputStream();
    new PrometheusProtobufWriter().write(theirs, everything, EscapingScheme.UNDERSCORE_ESCAPING);
    List<MetricFamily> expected = read(theirs.toByteArray());
    List<MetricFamily> ours = read(ProtobufMetrics.encode(everything));
    assertThat(ours).hasSize(expected.size()).hasSizeGreaterThan(80);
    for (int i = 0; i < ours.size(); i++) {
      assertThat(nativeBuckets(ours.get(i))).isEqualTo(nativeBuckets(expected.get(i)));
      assertThat(withoutNative(ours.get(i))).isEqualTo(withoutNative(expected.get(i)));
    }
  }

  /** Returns, for each histogram, the count of each bucket by its index. */
  private static List<Map<Integer, Long>> nativeBuckets(MetricFamily family) {
    List<Map<Integer, Long>> all = new ArrayList<>();
    for (Metric metric : family.getMetricList()) {
      Map<Integer, Long> buckets = new TreeMap<>();
      int index = 0;
      int next = 0;
      long count = 0;
      for (BucketSpan span : metric.getHistogram().getPositiveSpanList()) {
        index += span.getOffset();
        for (int i = 0; i < span.getLength(); i++) {
          count += metric.getHistogram().getPositiveDelta(next++);
          if (count > 0) {
            buckets.put(index, count);
          }
          index++;
        }
      }
      all.add(buckets);
    }
    return all;
  }

  /**
   * Returns a family without native buckets and start times: the client library leaves out empty
   * buckets and the start of a histogram.
   */
  private static MetricFamily withoutNative(MetricFamily family) {
    MetricFamily.Builder changed = family.toBuilder();
    for (Metric.Builder metric : changed.getMetricBuilderList()) {
      if (metric.hasHistogram()) {
        metric
            .getHistogramBuilder()
            .clearPositiveSpan()
            .clearPositiveDelta()
            .clearCreatedTimestamp();
      }
    }
    return changed.build();
  }

  @Test
  void aNativeHistogramHasAllBuckets() throws IOException {
    Histogram sizes =
        family(read(ProtobufMetrics.encode(everything)), "cistern_requested_size_bytes")
            .getMetric(0)
            .getHistogram();
    long sum = 0;
    long bucket = 0;
    for (long delta : sizes.getPositiveDeltaList()) {
      bucket += delta;
      sum += bucket;
    }
    assertThat(sizes.getSchema()).isZero();
    int spans = sizes.getPositiveSpanList().stream().mapToInt(span -> span.getLength()).sum();
    assertThat(spans).isEqualTo(sizes.getPositiveDeltaCount());
    long unbounded =
        sizes.getSampleCount() - sizes.getBucket(sizes.getBucketCount() - 2).getCumulativeCount();
    assertThat(sum).isLessThanOrEqualTo(sizes.getSampleCount()).isPositive();
    assertThat(unbounded).isNotNegative();
    assertThat(sizes.getCreatedTimestamp().getSeconds()).isPositive();
  }

  @Test
  void aClientThatPrefersItGetsIt() throws Exception {
    try (ExporterServer server = ExporterServer.start("127.0.0.1:0", Reports::host)) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/metrics"))
              .header(
                  "Accept",
                  "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;"
                      + "encoding=delimited;q=0.6,"
                      + "application/openmetrics-text;version=1.0.0;q=0.5,*/*;q=0.2")
              .build();
      HttpResponse<byte[]> response =
          HttpClient.newHttpClient().send(request, BodyHandlers.ofByteArray());
      assertThat(response.headers().firstValue("Content-Type"))
          .contains(
              "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily;"
                  + " encoding=delimited");
      assertThat(family(read(response.body()), "cistern_up").getMetric(0).getGauge().getValue())
          .isOne();
    }
  }
}
