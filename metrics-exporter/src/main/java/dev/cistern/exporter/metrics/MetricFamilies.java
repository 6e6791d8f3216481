/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.metrics;

import dev.cistern.exporter.report.HostFigures;
import dev.cistern.exporter.report.Schema;
import dev.cistern.exporter.schema.Detail;
import dev.cistern.exporter.schema.Figure;
import dev.cistern.exporter.schema.Histogram;
import dev.cistern.exporter.schema.Row;
import dev.cistern.exporter.schema.Scope;
import dev.cistern.exporter.schema.Text;
import io.prometheus.metrics.model.registry.MetricType;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Exemplar;
import io.prometheus.metrics.model.snapshots.Exemplars;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricFamilyDescriptor;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.NativeHistogramBuckets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Rows as metric families of the Prometheus client library. Used by one thread, for one scrape. */
public final class MetricFamilies {
  /** Suffixes that names of the client library do not have, because it adds them itself. */
  private static final String COUNTER_SUFFIX = "_total";

  private static final String INFO_SUFFIX = "_info";

  /** Schema of native histograms whose buckets end at powers of two. */
  private static final int POWERS_OF_TWO = 0;

  private static final String SITE = "site";

  /** Limit of the count of a bucket. */
  private static final long MAX_COUNT = 1L << 55;

  /** Metadata of figures, cached because the client library checks and escapes each new name. */
  private static final Map<Figure<?>, MetricMetadata> METADATA = new ConcurrentHashMap<>();

  private final boolean withHostId;
  private final UnaryOperator<String> siteStyle;
  private final Map<Figure<?>, List<Point>> points = new HashMap<>();
  private final Map<Histogram<?>, List<HistogramPoint>> histograms = new HashMap<>();
  private int size;

  private record Point(
      Labels labels, double value, long createdMillis, @Nullable Exemplar exemplar) {}

  private record HistogramPoint(Labels labels, Row row, long createdMillis) {}

  /**
   * The position of a row in the tree of rows.
   *
   * @param labels labels of all rows above it
   * @param createdMillis start time of the counters below it, in milliseconds since the epoch; 0 if
   *     unknown
   */
  record Path(Labels labels, long createdMillis) {
    /** The root of the tree. */
    static final Path TOP = new Path(Labels.EMPTY, 0);

    /** Returns the root with a start time of the counters below. */
    static Path since(long createdMillis) {
      return new Path(Labels.EMPTY, createdMillis);
    }

    /** Returns the same path without the time, because counters below may restart at any time. */
    Path withoutTime() {
      return new Path(labels, 0);
    }

    /**
     * Returns a path with more labels. Merging is cheap: the client library checks only the names
     * of the added labels.
     */
    private Path plus(List<String> names, List<String> values, long created) {
      return new Path(labels.merge(Labels.of(names, values)), created);
    }
  }

  /**
   * Creates empty families.
   *
   * @param withHostId whether series of a process have the label {@code host_id}
   * @param siteStyle maps the name of a site to the text to show
   */
  public MetricFamilies(boolean withHostId, UnaryOperator<String> siteStyle) {
    this.withHostId = withHostId;
    this.siteStyle = siteStyle;
  }

  /** Returns the path of the rows below a row. */
  Path below(Path path, Row row) {
    Scope<?> scope = row.scope();
    if (scope == HostFigures.HOST) {
      int from = withHostId ? 0 : 1;
      List<String> names = scope.labels();
      List<String> values = row.labels();
      return path.plus(
          names.subList(from, names.size()),
          values.subList(from, values.size()),
          Math.max(0, row.orZero(HostFigures.START_TIME)));
    }
    List<String> values = new ArrayList<>(row.labels());
    int site = scope.labels().indexOf(SITE);
    if (site >= 0) {
      values.set(site, siteStyle.apply(values.get(site)));
    }
    return path.plus(scope.labels(), values, path.createdMillis());
  }

  /**
   * Adds the figures of a row, but not those of the rows below.
   *
   * @param exemplar an exemplar for the first figure
   */
  void addOnly(Path above, Row row, Set<Detail> details, @Nullable Exemplar exemplar) {
    addAt(below(above, row), row, details, exemplar);
  }

  private void addAt(Path path, Row row, Set<Detail> details, @Nullable Exemplar exemplar) {
    Labels labels = path.labels();
    for (Figure<?> figure : row.scope().figures()) {
      long value = row.get(figure);
      if (value != Figure.ABSENT && details.contains(figure.detail())) {
        Labels all = figure.texts().isEmpty() ? labels : withTexts(path, row, figure);
        boolean isCounter = figure.type() == Figure.Type.COUNTER;
        points
            .computeIfAbsent(figure, unused -> new ArrayList<>())
            .add(
                new Point(
                    all,
                    figure.unit().of(isCounter ? Math.max(0, value) : value),
                    path.createdMillis(),
                    figure == row.scope().figures().get(0) ? exemplar : null));
        size++;
      }
    }
    for (Histogram<?> histogram : row.scope().histograms()) {
      if (row.has(histogram) && details.contains(histogram.detail())) {
        histograms
            .computeIfAbsent(histogram, unused -> new ArrayList<>())
            .add(new HistogramPoint(labels, row, path.createdMillis()));
        size += series(histogram);
      }
    }
  }

  private static Labels withTexts(Path path, Row row, Figure<?> figure) {
    List<String> names = new ArrayList<>();
    List<String> values = new ArrayList<>();
    for (Text<?> text : figure.texts()) {
      names.add(text.key());
      values.add(row.get(text));
    }
    return path.labels().merge(Labels.of(names, values));
  }

  /** Adds a row and all rows below it. */
  void add(Path above, Row row, Set<Detail> details) {
    Path path = below(above, row);
    addAt(path, row, details, null);
    for (Scope<?> child : row.scope().children()) {
      if (child.has(details)) {
        List<Row> rows = row.rows(child);
        for (Row each : rows.subList(0, Math.min(child.seriesLimit(), rows.size()))) {
          add(path, each, details);
        }
      }
    }
  }

  /** Adds all series of other families. */
  void addAll(MetricFamilies others) {
    others.points.forEach(
        (figure, more) -> points.computeIfAbsent(figure, unused -> new ArrayList<>()).addAll(more));
    others.histograms.forEach(
        (histogram, more) ->
            histograms.computeIfAbsent(histogram, unused -> new ArrayList<>()).addAll(more));
    size += others.size;
  }

  /** Returns the number of series that {@link #add} would add. */
  static int count(Row row, Set<Detail> details) {
    int count = 0;
    for (Figure<?> figure : row.scope().figures()) {
      if (row.get(figure) != Figure.ABSENT && details.contains(figure.detail())) {
        count++;
      }
    }
    for (Histogram<?> histogram : row.scope().histograms()) {
      if (row.has(histogram) && details.contains(histogram.detail())) {
        count += series(histogram);
      }
    }
    for (Scope<?> child : row.scope().children()) {
      if (child.has(details)) {
        List<Row> rows = row.rows(child);
        for (Row below : rows.subList(0, Math.min(child.seriesLimit(), rows.size()))) {
          count += count(below, details);
        }
      }
    }
    return count;
  }

  /** Returns the number of series that {@link #add} leaves out, because there are too many rows. */
  static int countLeftOut(Row row, Set<Detail> details) {
    int count = 0;
    for (Scope<?> child : row.scope().children()) {
      List<Row> rows = child.has(details) ? row.rows(child) : List.of();
      for (int i = child.seriesLimit(); i < rows.size(); i++) {
        count += count(rows.get(i), details);
      }
    }
    return count;
  }

  /** Returns the number of series of a histogram in its classic form: buckets, count and sum. */
  static int series(Histogram<?> histogram) {
    return histogram.classic().size() + 2;
  }

  /** Returns the number of series so far. */
  int size() {
    return size;
  }

  /** Returns the added series; families without a series are left out. */
  public MetricSnapshots build() {
    List<MetricSnapshot> snapshots = new ArrayList<>();
    points.forEach((figure, series) -> snapshots.add(snapshot(figure, once(series))));
    histograms.forEach((histogram, series) -> snapshots.add(snapshot(histogram, series)));
    return new MetricSnapshots(snapshots);
  }

  /**
   * Removes repeated series. Another process may report anything, such as two arenas with one
   * number: the first one counts.
   */
  private static List<Point> once(List<Point> series) {
    if (series.size() == 1) {
      return series;
    }
    Set<Labels> known = new HashSet<>(2 * series.size());
    return series.stream().filter(point -> known.add(point.labels())).toList();
  }

  private static MetricSnapshot snapshot(Figure<?> figure, List<Point> series) {
    MetricMetadata metadata = metadata(figure);
    return switch (figure.type()) {
      case GAUGE ->
          new GaugeSnapshot(
              metadata,
              series.stream()
                  .map(p -> new GaugeDataPointSnapshot(p.value(), p.labels(), null))
                  .toList());
      case COUNTER ->
          new CounterSnapshot(
              metadata,
              series.stream()
                  .map(
                      p ->
                          new CounterDataPointSnapshot(
                              p.value(), p.labels(), p.exemplar(), p.createdMillis()))
                  .toList());
      case INFO ->
          new InfoSnapshot(
              metadata, series.stream().map(p -> new InfoDataPointSnapshot(p.labels())).toList());
    };
  }

  /** Returns all families as the client library describes them. */
  static List<MetricFamilyDescriptor> descriptors(boolean withHostId) {
    List<MetricFamilyDescriptor> all = new ArrayList<>();
    for (Scope<?> scope : Schema.scopes()) {
      for (Figure<?> figure : scope.figures()) {
        all.add(
            MetricFamilyDescriptor.of(
                type(figure), metadata(figure), Schema.labels(figure, withHostId)));
      }
      for (Histogram<?> histogram : scope.histograms()) {
        all.add(
            MetricFamilyDescriptor.of(
                MetricType.HISTOGRAM, metadata(histogram), Schema.labels(scope, withHostId)));
      }
    }
    return all;
  }

  private static MetricType type(Figure<?> figure) {
    return switch (figure.type()) {
      case GAUGE -> MetricType.GAUGE;
      case COUNTER -> MetricType.COUNTER;
      case INFO -> MetricType.INFO;
    };
  }

  /** Returns name, help and unit as the client library has them. */
  static MetricMetadata metadata(Figure<?> figure) {
    return METADATA.computeIfAbsent(figure, MetricFamilies::newMetadata);
  }

  private static MetricMetadata newMetadata(Figure<?> figure) {
    String suffix =
        switch (figure.type()) {
          case GAUGE -> "";
          case COUNTER -> COUNTER_SUFFIX;
          case INFO -> INFO_SUFFIX;
        };
    String name = figure.name().substring(0, figure.name().length() - suffix.length());
    return new MetricMetadata(name, figure.help(), unit(figure.unit()));
  }

  static MetricMetadata metadata(Histogram<?> histogram) {
    return new MetricMetadata(histogram.name(), histogram.help(), unit(histogram.unit()));
  }

  private static io.prometheus.metrics.model.snapshots.@Nullable Unit unit(
      dev.cistern.exporter.schema.Unit unit) {
    return switch (unit) {
      case COUNT -> null;
      case BYTES -> io.prometheus.metrics.model.snapshots.Unit.BYTES;
      case MILLIS, MICROS, NANOS -> io.prometheus.metrics.model.snapshots.Unit.SECONDS;
    };
  }

  private static MetricSnapshot snapshot(Histogram<?> histogram, List<HistogramPoint> series) {
    Set<Labels> known = new HashSet<>();
    return new HistogramSnapshot(
        metadata(histogram),
        series.stream()
            .filter(point -> known.add(point.labels()))
            .map(point -> point(histogram, point))
            .toList());
  }

  /**
   * Returns a point with both forms of the histogram. Each format writes the forms that it
   * supports.
   */
  private static HistogramDataPointSnapshot point(Histogram<?> histogram, HistogramPoint point) {
    long[] counts = Objects.requireNonNull(point.row().get(histogram));
    ClassicHistogramBuckets.Builder classic = ClassicHistogramBuckets.builder();
    NativeHistogramBuckets.Builder exponential = NativeHistogramBuckets.builder();
    List<Integer> ends = histogram.classic();
    long sum = 0;
    for (int bucket = 0, next = 0; bucket <= histogram.buckets(); bucket++) {
      // A file may contain any number: limit it so that the sum does not overflow.
      long count = Math.max(0, Math.min(MAX_COUNT, counts[bucket]));
      sum += count;
      if (count > 0) {
        exponential.bucket(histogram.firstExponent() + bucket, count);
      }
      if (bucket == ends.get(next)) {
        classic.bucket(histogram.end(bucket), sum);
        sum = 0;
        next++;
      }
    }
    return new HistogramDataPointSnapshot(
        classic.build(),
        POWERS_OF_TWO,
        0,
        0,
        exponential.build(),
        NativeHistogramBuckets.EMPTY,
        histogram.unit().of(counts[counts.length - 1]),
        point.labels(),
        Exemplars.EMPTY,
        point.createdMillis());
  }
}
