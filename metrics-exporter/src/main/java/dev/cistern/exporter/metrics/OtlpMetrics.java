/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.metrics;

import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.schema.ProtoMessage;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.Label;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.NativeHistogramBuckets;
import io.prometheus.metrics.model.snapshots.Unit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Metrics in the OpenTelemetry format, with one resource for each process. Names have no unit and
 * no {@code _total}, because receivers add them. Histograms are exponential. The field numbers are
 * those of {@code opentelemetry/proto/metrics/v1/metrics.proto}.
 */
final class OtlpMetrics {
  /** Name of the host, which distinguishes replicas and stays the same when a process restarts. */
  private static final String HOST_NAME = hostName();

  private static final int CUMULATIVE = 2;

  private final ProtoMessage request = new ProtoMessage();
  private final long nowNanos = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());

  /**
   * Adds the metrics of a process.
   *
   * @param host the process; null for the exporter itself
   * @param isOther whether it is another process than this one, which its ID then identifies
   */
  void add(@Nullable HostView host, boolean isOther, MetricSnapshots metrics) {
    ProtoMessage scopeMetrics =
        new ProtoMessage().message(1, new ProtoMessage().text(1, "dev.cistern"));
    for (MetricSnapshot metric : metrics) {
      scopeMetrics.message(2, metric(metric));
    }
    ProtoMessage resource = resource(host, isOther);
    request.message(1, new ProtoMessage().message(1, resource).message(2, scopeMetrics));
  }

  /** Returns {@code ExportMetricsServiceRequest}. */
  byte[] encode() {
    return request.encode();
  }

  /**
   * Returns the name of this machine or pod, without a network request; empty if it is not known.
   */
  private static String hostName() {
    String name = System.getenv("HOSTNAME");
    try {
      return name != null ? name : Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    } catch (IOException | RuntimeException e) {
      return "";
    }
  }

  private static ProtoMessage resource(@Nullable HostView host, boolean isOther) {
    ProtoMessage resource = new ProtoMessage();
    addAttribute(resource, 1, "service.name", host == null ? "cistern" : host.service());
    addAttribute(resource, 1, "host.name", host != null && isOther ? "" : HOST_NAME);
    if (host != null) {
      addAttribute(resource, 1, "service.instance.id", isOther ? host.id() : "");
      addAttribute(resource, 1, "k8s.pod.name", host.pod());
      addAttribute(resource, 1, "k8s.container.name", host.container());
    }
    return resource;
  }

  /** Adds an attribute unless its value is empty. */
  private static void addAttribute(ProtoMessage to, int field, String key, String value) {
    if (!value.isEmpty()) {
      ProtoMessage any = new ProtoMessage().text(1, value);
      to.message(field, new ProtoMessage().text(1, key).message(2, any));
    }
  }

  private ProtoMessage metric(MetricSnapshot metric) {
    MetricMetadata metadata = metric.getMetadata();
    Unit unit = metadata.getUnit();
    String name = metadata.getName();
    if (unit != null && name.endsWith("_" + unit)) {
      name = name.substring(0, name.length() - unit.toString().length() - 1);
    }
    ProtoMessage out = new ProtoMessage();
    out.text(1, metric instanceof InfoSnapshot ? name + "_info" : name);
    out.text(2, metadata.getHelp());
    if (unit != null) {
      out.text(3, unit.equals(Unit.BYTES) ? "By" : "s");
    }
    ProtoMessage points = new ProtoMessage();
    for (DataPointSnapshot point : metric.getDataPoints()) {
      points.message(1, point(point));
    }
    if (metric instanceof CounterSnapshot) {
      return out.message(7, points.number(2, CUMULATIVE).number(3, 1));
    }
    return metric instanceof HistogramSnapshot
        ? out.message(10, points.number(2, CUMULATIVE))
        : out.message(5, points);
  }

  private ProtoMessage point(DataPointSnapshot data) {
    ProtoMessage point = new ProtoMessage();
    int labelField = 7;
    if (data.getCreatedTimestampMillis() > 0) {
      point.fixed(2, TimeUnit.MILLISECONDS.toNanos(data.getCreatedTimestampMillis()));
    }
    point.fixed(3, nowNanos);
    if (data instanceof CounterDataPointSnapshot counter) {
      point.decimal(4, counter.getValue());
    } else if (data instanceof HistogramDataPointSnapshot histogram) {
      labelField = 1;
      addHistogram(point, histogram);
    } else { // OTLP has no info type
      point.decimal(4, data instanceof GaugeDataPointSnapshot gauge ? gauge.getValue() : 1);
    }
    for (Label label : data.getLabels()) {
      addAttribute(point, labelField, label.getName(), label.getValue());
    }
    return point;
  }

  /**
   * Adds a histogram. In OTLP, a bucket begins at a power of the base; in this data, it ends there.
   */
  private static void addHistogram(ProtoMessage point, HistogramDataPointSnapshot data) {
    NativeHistogramBuckets buckets = data.getNativeBucketsForPositiveValues();
    point.fixed(4, data.getCount()).decimal(5, data.getSum()).signed(6, data.getNativeSchema());
    if (buckets.size() > 0) {
      int next = buckets.getBucketIndex(0);
      ProtoMessage positive = new ProtoMessage().signed(1, next - 1);
      ProtoMessage counts = new ProtoMessage();
      for (int i = 0; i < buckets.size(); i++) {
        for (; next < buckets.getBucketIndex(i); next++) {
          counts.packed(0);
        }
        counts.packed(buckets.getCount(i));
        next++;
      }
      point.message(8, positive.message(2, counts));
    }
  }
}
