/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.schema;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one item at one moment, with the rows of all items below it. It is read in a
 * process from its pools, or from a stats file. Immutable. The rows below are read at first use
 * from the same immutable report.
 */
public final class Row {
  private final Scope<?> scope;
  private final List<String> labels;
  private final String[] texts;
  private final long[] values;
  private final long[] @Nullable [] histograms;

  /** Source of the rows below; null if they are known. */
  private final @Nullable Object thing;

  /** Rows by child of the scope; null until they are read, by any thread. */
  private final @Nullable List<Row>[] below;

  private Row(
      Scope<?> scope,
      List<String> labels,
      String[] texts,
      long[] values,
      long[] @Nullable [] histograms,
      @Nullable Object thing,
      @Nullable List<Row>[] below) {
    this.scope = scope;
    this.labels = labels;
    this.texts = texts;
    this.values = values;
    this.histograms = histograms;
    this.thing = thing;
    this.below = below;
  }

  /** Creates a row whose rows below are read from a thing. */
  @SuppressWarnings({"unchecked", "rawtypes"}) // there are no arrays of lists of rows
  Row(
      Scope<?> scope,
      List<String> labels,
      String[] texts,
      long[] values,
      long[] @Nullable [] histograms,
      @Nullable Object thing) {
    this(scope, labels, texts, values, histograms, thing, new List[scope.children().size()]);
  }

  /** Returns the scope of the row. */
  public Scope<?> scope() {
    return scope;
  }

  /** Returns the values of the scope's own labels. */
  public List<String> labels() {
    return labels;
  }

  /** Returns the value of a figure of its scope; {@link Figure#ABSENT} if it is not known. */
  public long get(Figure<?> figure) {
    return values[figure.index()];
  }

  /** Returns the value of a figure; 0 if it is not known. */
  public long orZero(Figure<?> figure) {
    long value = get(figure);
    return value == Figure.ABSENT ? 0 : value;
  }

  /** Returns a text of its scope. */
  public String get(Text<?> text) {
    return texts[text.index()];
  }

  /**
   * Returns a histogram of its scope: the count of each bucket, then the stored sum of all values;
   * null if it is not known.
   */
  public long @Nullable [] get(Histogram<?> histogram) {
    long[] counts = histograms[histogram.index()];
    return counts == null ? null : counts.clone();
  }

  /** Returns whether it has a histogram of its scope. */
  public boolean has(Histogram<?> histogram) {
    return histograms[histogram.index()] != null;
  }

  /** Returns all rows below. */
  public List<Row> rows() {
    List<Row> all = new ArrayList<>();
    scope.children().forEach(child -> all.addAll(rows(child)));
    return all;
  }

  /** Returns the rows of one kind below. */
  public List<Row> rows(Scope<?> of) {
    int child = scope.children().indexOf(of);
    List<Row> known = below[child];
    if (known == null) {
      known = of.readAll(Objects.requireNonNull(thing));
      below[child] = known;
    }
    return known;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Row row
        && scope == row.scope
        && labels.equals(row.labels)
        && Arrays.equals(texts, row.texts)
        && Arrays.equals(values, row.values)
        && Arrays.deepEquals(histograms, row.histograms)
        && rows().equals(row.rows());
  }

  @Override
  public int hashCode() {
    return 31 * labels.hashCode() + Arrays.hashCode(values);
  }

  /** Returns this row with another value of a figure. */
  public Row with(Figure<?> figure, long value) {
    long[] changed = values.clone();
    changed[figure.index()] = value;
    return new Row(scope, labels, texts, changed, histograms, thing, below);
  }

  /**
   * Returns this row with the labels of another row of its scope.
   *
   * @param names texts that are copied from the other row, too
   */
  public Row withNamesOf(Row other, List<? extends Text<?>> names) {
    String[] changed = texts.clone();
    names.forEach(name -> changed[name.index()] = other.texts[name.index()]);
    return new Row(scope, other.labels, changed, values, histograms, thing, below);
  }

  /**
   * Returns this row with empty labels.
   *
   * @param names texts that become empty, too
   */
  public Row withoutNames(List<? extends Text<?>> names) {
    String[] changed = texts.clone();
    names.forEach(name -> changed[name.index()] = "");
    List<String> none = Collections.nCopies(labels.size(), "");
    return new Row(scope, none, changed, values, histograms, thing, below);
  }

  /** Returns this row with other rows below. */
  public Row withOnly(List<Row> others) {
    Row changed = new Row(scope, labels, texts, values, histograms, null);
    for (int i = 0; i < below.length; i++) {
      Scope<?> child = scope.children().get(i);
      List<Row> rows = new ArrayList<>();
      for (Row other : others) {
        if (other.scope == child) {
          rows.add(other);
        }
      }
      changed.below[i] = List.copyOf(rows);
    }
    return changed;
  }
}
