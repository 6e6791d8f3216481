/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.metrics;

import dev.cistern.exporter.schema.ProtoMessage;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Exemplar;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.Label;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.NativeHistogramBuckets;
import java.io.ByteArrayOutputStream;

/**
 * Metrics in the protobuf format of Prometheus, the only format with native histograms. It also has
 * the start times of counters. The field numbers are those of {@code io.prometheus.client}
 * (metrics.proto). The writer of the client library is not used, because it would add a second copy
 * of Protocol Buffers of more than a megabyte.
 */
public final class ProtobufMetrics {
  private static final int MILLIS_PER_SECOND = 1_000;
  private static final int NANOS_PER_MILLI = 1_000_000;

  /** Values of {@code MetricType}. */
  private static final int COUNTER = 0;

  private static final int GAUGE = 1;
  private static final int HISTOGRAM = 4;

  private ProtobufMetrics() {}

  /** Returns the families, each with a length prefix. */
  public static byte[] encode(MetricSnapshots metrics) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (MetricSnapshot metric : metrics) {
      byte[] family = family(metric).encode();
      bytes.writeBytes(new ProtoMessage().packed(family.length).encode());
      bytes.writeBytes(family);
    }
    return bytes.toByteArray();
  }

  private static ProtoMessage family(MetricSnapshot metric) {
    boolean isCounter = metric instanceof CounterSnapshot;
    boolean isHistogram = metric instanceof HistogramSnapshot;
    String name = metric.getMetadata().getName();
    String suffix = isCounter ? "_total" : metric instanceof InfoSnapshot ? "_info" : "";
    ProtoMessage family = new ProtoMessage().text(1, name + suffix);
    family.text(2, metric.getMetadata().getHelp());
    family.number(3, isCounter ? COUNTER : isHistogram ? HISTOGRAM : GAUGE);
    for (DataPointSnapshot point : metric.getDataPoints()) {
      family.message(4, metric(point));
    }
    return family;
  }

  private static ProtoMessage labels(Labels labels) {
    ProtoMessage message = new ProtoMessage();
    for (Label label : labels) {
      message.message(1, new ProtoMessage().text(1, label.getName()).text(2, label.getValue()));
    }
    return message;
  }

  private static ProtoMessage metric(DataPointSnapshot point) {
    ProtoMessage metric = labels(point.getLabels());
    if (point instanceof CounterDataPointSnapshot counter) {
      return metric.message(3, counter(counter));
    }
    if (point instanceof HistogramDataPointSnapshot histogram) {
      return metric.message(7, histogram(histogram));
    }
    double value = point instanceof GaugeDataPointSnapshot gauge ? gauge.getValue() : 1;
    return metric.message(2, new ProtoMessage().decimal(1, value));
  }

  private static ProtoMessage counter(CounterDataPointSnapshot counter) {
    ProtoMessage out = new ProtoMessage().decimal(1, counter.getValue());
    Exemplar exemplar = counter.getExemplar();
    if (exemplar != null) {
      ProtoMessage fields = labels(exemplar.getLabels()).decimal(2, exemplar.getValue());
      out.message(2, addTime(fields, 3, exemplar.getTimestampMillis()));
    }
    return addTime(out, 3, counter.getCreatedTimestampMillis());
  }

  private static ProtoMessage addTime(ProtoMessage to, int field, long millis) {
    if (millis > 0) {
      ProtoMessage time = new ProtoMessage().number(1, millis / MILLIS_PER_SECOND);
      to.message(field, time.number(2, millis % MILLIS_PER_SECOND * NANOS_PER_MILLI));
    }
    return to;
  }

  /** Returns both forms of a histogram; a reader takes the form that it supports. */
  private static ProtoMessage histogram(HistogramDataPointSnapshot histogram) {
    ProtoMessage out = new ProtoMessage();
    out.number(1, histogram.getCount()).decimal(2, histogram.getSum());
    ClassicHistogramBuckets classic = histogram.getClassicBuckets();
    long sum = 0;
    for (int i = 0; i < classic.size(); i++) {
      sum += classic.getCount(i);
      out.message(3, new ProtoMessage().number(1, sum).decimal(2, classic.getUpperBound(i)));
    }
    out.signed(5, histogram.getNativeSchema());
    out.decimal(6, histogram.getNativeZeroThreshold());
    out.number(7, histogram.getNativeZeroCount());
    addNative(out, histogram.getNativeBucketsForPositiveValues());
    return addTime(out, 15, histogram.getCreatedTimestampMillis());
  }

  /** Adds one span from the first bucket to the last; counts are differences. */
  private static void addNative(ProtoMessage out, NativeHistogramBuckets buckets) {
    if (buckets.size() == 0) {
      out.message(12, new ProtoMessage().signed(1, 0)); // marks it as native
      return;
    }
    int first = buckets.getBucketIndex(0);
    int last = buckets.getBucketIndex(buckets.size() - 1);
    out.message(12, new ProtoMessage().signed(1, first).number(2, last - first + 1));
    long before = 0;
    for (int index = first, i = 0; index <= last; index++) {
      long count = buckets.getBucketIndex(i) == index ? buckets.getCount(i++) : 0;
      out.signed(13, count - before);
      before = count;
    }
  }
}
