/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.schema;

import com.grack.nanojson.JsonAppendableWriter;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** Writer of rows as JSON: an object for each row, with an array for each kind of row below. */
public final class RowJson {
  private RowJson() {}

  /** Writes labels, texts and figures of a row to the open object, but not the rows below. */
  public static void writeOnly(JsonAppendableWriter json, Row row) {
    Scope<?> scope = row.scope();
    for (int i = 0; i < scope.labels().size(); i++) {
      json.value(scope.labels().get(i), row.labels().get(i));
    }
    for (Text<?> text : scope.texts()) {
      json.value(text.key(), row.get(text));
    }
    for (Figure<?> figure : scope.figures()) {
      long value = row.get(figure);
      if (value == Figure.ABSENT || !figure.texts().isEmpty()) {
        continue;
      }
      if (figure.unit() == Unit.COUNT || figure.unit() == Unit.BYTES) {
        json.value(figure.key(), value);
      } else {
        json.value(figure.key(), figure.unit().of(value));
      }
    }
    for (Histogram<?> histogram : scope.histograms()) {
      long[] counts = row.get(histogram);
      if (counts != null) {
        write(json, histogram, counts);
      }
    }
  }

  private static void write(JsonAppendableWriter json, Histogram<?> histogram, long[] counts) {
    json.object(histogram.key())
        .value("sum", histogram.unit().of(counts[counts.length - 1]))
        .array("buckets");
    for (int bucket = 0; bucket <= histogram.buckets(); bucket++) {
      if (counts[bucket] > 0) {
        json.object();
        if (bucket < histogram.buckets()) {
          json.value("end", histogram.end(bucket));
        }
        json.value("count", counts[bucket]).end();
      }
    }
    json.end().end();
  }

  /**
   * Writes a row with all rows below it to the open object.
   *
   * @param leftOut kinds of rows that are not written
   * @param extras run in the object of their row, to add values that are not figures
   */
  public static void write(
      JsonAppendableWriter json,
      Row row,
      Set<Scope<?>> leftOut,
      IdentityHashMap<Row, Runnable> extras) {
    writeOnly(json, row);
    for (Scope<?> child : row.scope().children()) {
      List<Row> rows = leftOut.contains(child) ? List.of() : row.rows(child);
      if (rows.isEmpty()) {
        continue;
      }
      json.array(child.key());
      for (Row below : rows) {
        json.object();
        write(json, below, leftOut, extras);
        json.end();
      }
      json.end();
    }
    Runnable extra = extras.get(row);
    if (extra != null) {
      extra.run();
    }
  }
}
