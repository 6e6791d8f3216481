/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.exporter.Fixtures;
import dev.cistern.exporter.SidecarReports;
import dev.cistern.exporter.metrics.CisternCollector;
import dev.cistern.exporter.metrics.SeriesOptions;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.HostView;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** An OTLP receiver gets the values of a scrape. */
class MetricsPushTest {
  private final HostReport everything = Fixtures.everything();
  private final CisternCollector collector = new CisternCollector(() -> everything);

  private Map<String, Double> scraped() {
    Map<String, Double> series = new TreeMap<>();
    Fixtures.metrics(everything)
        .lines()
        .filter(line -> !line.startsWith("#") && !line.isEmpty())
        .filter(line -> !line.contains("_bucket{"))
        .forEach(
            line -> {
              int space = line.lastIndexOf(' ');
              String name = line.substring(0, space).replaceAll("\\w+=\"\",?", "");
              series.put(name.replace(",}", "}"), Double.valueOf(line.substring(space + 1)));
            });
    return series;
  }

  private ResourceMetrics ofThisProcess() throws Exception {
    return ofProcess(collector);
  }

  private static ResourceMetrics ofProcess(CisternCollector from) throws Exception {
    return ExportMetricsServiceRequest.parseFrom(from.encodeOtlp()).getResourceMetrics(0);
  }

  private static List<Metric> metrics(ResourceMetrics of) {
    return of.getScopeMetrics(0).getMetricsList();
  }

  @Test
  void aPushHasTheValuesOfAScrape() throws Exception {
    try (MetricsReceiver receiver = new MetricsReceiver()) {
      PushOptions options =
          PushOptions.otlpMetrics(receiver.endpoint())
              .withInterval(Duration.ofSeconds(1))
              .withHeaders(Map.of("X-Tenant", "us"));
      try (Push push = Push.metrics(collector, options, line -> {})) {
        await().until(() -> receiver.pushes() > 0);
        Map<String, Double> pushed = receiver.series();
        pushed.remove("cistern_scrape_duration_seconds");
        assertThat(pushed).hasSizeGreaterThan(100).isEqualTo(scraped());
        assertThat(receiver.tenant()).isEqualTo("us");
        await().until(() -> push.figures().pushes() > 0);
        assertThat(push.figures().failures()).isZero();
      }
    }
  }

  @Test
  void countersAreCumulativeAndMonotonicAndUnitsAreOtlps() throws Exception {
    long startNanos = TimeUnit.MILLISECONDS.toNanos(everything.host().startMillis());
    for (Metric metric : metrics(ofThisProcess())) {
      String name = MetricsReceiver.name(metric);
      assertThat(metric.hasSum()).as(name).isEqualTo(name.endsWith("_total"));
      assertThat(metric.getUnit().equals("By")).as(name).isEqualTo(name.contains("_bytes"));
      if (metric.hasSum()) {
        assertThat(metric.getSum().getIsMonotonic()).as(name).isTrue();
        assertThat(metric.getSum().getAggregationTemporality())
            .isEqualTo(AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE);
        NumberDataPoint point = metric.getSum().getDataPoints(0);
        Set<String> labels = MetricsReceiver.attributes(point.getAttributesList()).keySet();
        // A leak site can lose its series and begin again; the exporter began with this test.
        assertThat(point.getStartTimeUnixNano())
            .as(name)
            .matches(
                start ->
                    labels.contains("site")
                        ? start == 0
                        : start == startNanos || (!labels.contains("pool") && start > 0));
      }
    }
  }

  @Test
  void histogramsAreExponential() throws Exception {
    CisternCollector all =
        new CisternCollector(() -> everything, SeriesOptions.DEFAULT.withSeriesLimit(1_000));
    Metric sizes =
        metrics(ofProcess(all)).stream()
            .filter(metric -> metric.getName().equals("cistern_requested_size"))
            .findFirst()
            .orElseThrow();
    assertThat(sizes.getExponentialHistogram().getAggregationTemporality())
        .isEqualTo(AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE);
    for (ExponentialHistogramDataPoint point :
        sizes.getExponentialHistogram().getDataPointsList()) {
      assertThat(point.getScale()).isZero();
      List<Long> counts = point.getPositive().getBucketCountsList();
      assertThat(counts.stream().mapToLong(Long::longValue).sum())
          .isEqualTo(point.getCount())
          .isPositive();
      double least = 0;
      double most = 0;
      for (int i = 0; i < counts.size(); i++) {
        int exponent = point.getPositive().getOffset() + i;
        least += counts.get(i) * Math.scalb(1.0, exponent);
        most += counts.get(i) * Math.scalb(1.0, exponent + 1);
      }
      assertThat(counts.get(0)).isPositive();
      assertThat(most).isGreaterThan(least);
    }
  }

  @Test
  void thisProcessKeepsItsIdentityOverRestarts() throws Exception {
    assertThat(MetricsReceiver.attributes(ofThisProcess().getResource().getAttributesList()))
        .containsEntry("service.name", "shop")
        .doesNotContainKey("service.instance.id");
    assertThat(collector.encodeOtlp()).asString().doesNotContain(everything.host().id());
  }

  @Test
  void eachProcessOfASidecarIsAResourceWithItsServiceName() throws Exception {
    List<HostView> hosts =
        List.of(
            HostView.of(SidecarReports.report(SidecarReports.host(1), 1_000, 3)),
            HostView.of(SidecarReports.report(SidecarReports.host(2), 1_000, 3)));
    byte[] request = CisternCollector.ofHosts(() -> hosts, SeriesOptions.DEFAULT).encodeOtlp();
    List<ResourceMetrics> resources =
        ExportMetricsServiceRequest.parseFrom(request).getResourceMetricsList();
    assertThat(resources).hasSize(3);
    for (int i = 0; i < 2; i++) {
      assertThat(MetricsReceiver.attributes(resources.get(i).getResource().getAttributesList()))
          .containsEntry("service.name", hosts.get(i).service())
          .containsEntry("service.instance.id", hosts.get(i).id());
    }
    assertThat(MetricsReceiver.attributes(resources.get(2).getResource().getAttributesList()))
        .containsEntry("service.name", "cistern")
        .containsOnlyKeys("service.name", "host.name");
    assertThat(metrics(resources.get(2)))
        .extracting(MetricsReceiver::name)
        .contains("cistern_up")
        .doesNotContain("cistern_reserved_bytes");
  }
}
