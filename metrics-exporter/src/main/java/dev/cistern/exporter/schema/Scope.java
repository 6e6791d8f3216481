/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.schema;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A kind of item that figures describe, such as a process, a pool or an arena. Scopes form a tree:
 * a pool has arenas. They are declared in static fields and do not change afterwards.
 *
 * @param <T> type of the objects that the figures are read from
 */
public final class Scope<T> {
  private final @Nullable Scope<?> parent;
  private final int number;
  private final String key;
  private final int maxItems;
  private final List<String> labels = new ArrayList<>();
  private final List<String> allLabels;
  private final List<Scope<?>> children = new ArrayList<>();
  private final List<Scope<?>> childrenView = Collections.unmodifiableList(children);
  private final List<Figure<T>> figures = new ArrayList<>();
  private final List<Figure<T>> figuresView = Collections.unmodifiableList(figures);
  private final List<Text<T>> texts = new ArrayList<>();
  private final List<Text<T>> textsView = Collections.unmodifiableList(texts);
  private final List<Histogram<T>> histograms = new ArrayList<>();
  private final List<Histogram<T>> histogramsView = Collections.unmodifiableList(histograms);
  private Detail detail = Detail.NORMAL;
  private int seriesLimit = Integer.MAX_VALUE;

  /** Names in use. Labels, texts, figures, histograms and the scopes below share a JSON object. */
  private final Set<String> keys = new HashSet<>();

  /** Maps an object of the parent's kind to its objects of this kind; a root has none. */
  private final Function<Object, List<T>> items;

  /** Maps an object to the value of each of {@link #labels}. */
  private final List<Function<T, String>> labelReaders = new ArrayList<>();

  private Scope(
      @Nullable Scope<?> parent,
      int number,
      String key,
      int maxItems,
      Function<Object, List<T>> items) {
    this.parent = parent;
    this.number = number;
    this.key = key;
    this.maxItems = maxItems;
    this.items = items;
    this.allLabels = new ArrayList<>(parent == null ? List.of() : parent.allLabels);
  }

  /** Returns a scope at the root of the tree. */
  public static <T> Scope<T> root(String key) {
    return new Scope<>(null, 0, key, 1, none -> List.of());
  }

  /**
   * Returns a scope below this one.
   *
   * @param number its number in the stats file, which no other child of this scope may have
   * @param key the name of its array in JSON
   * @param maxItems maximum number of objects under one object of this scope; a file with more is
   *     refused
   * @param items maps an object of this scope to those of the new one
   */
  @SuppressWarnings("unchecked") // a child's items are read only from this scope
  public <C> Scope<C> child(int number, String key, int maxItems, Function<T, List<C>> items) {
    Function<Object, List<C>> of = (Function<Object, List<C>>) (Object) items;
    Scope<C> child = new Scope<>(this, number, key, maxItems, of);
    claim(child.key);
    children.add(child);
    return child;
  }

  /** Adds a label that identifies its items. For declarations only, before children. */
  public Scope<T> label(String name, Function<T, String> reader) {
    claim(name);
    labels.add(name);
    allLabels.add(name);
    labelReaders.add(reader);
    return this;
  }

  /** Sets the default group of its figures. For declarations only, before figures. */
  public Scope<T> detail(Detail ofFigures) {
    detail = ofFigures;
    return this;
  }

  /** Returns whether its figures are only in rows, and are not metrics. */
  public boolean isRowsOnly() {
    return detail == Detail.ROWS;
  }

  /** Sets how many items of one parent have series. For declarations only. */
  public Scope<T> withSeries(int limit) {
    seriesLimit = limit;
    return this;
  }

  /** Returns how many items of one parent have series; further ones are left out. */
  public int seriesLimit() {
    return seriesLimit;
  }

  /**
   * Declares a value at one moment.
   *
   * @param number its number in the stats file: 1 to 899, and never that of another figure of this
   *     scope
   * @param name its name in Prometheus, which ends with its unit
   * @param reader returns its value; {@link Figure#ABSENT} if it is not known
   */
  public Figure<T> gauge(int number, String name, ToLongFunction<T> reader) {
    return add(number, Figure.Type.GAUGE, name, List.of(), reader);
  }

  /** Declares a sum since start; the parameters are the same as for {@link #gauge}. */
  public Figure<T> counter(int number, String name, ToLongFunction<T> reader) {
    return add(number, Figure.Type.COUNTER, name, List.of(), reader);
  }

  /**
   * Declares a figure that is always 1.
   *
   * @param shown texts of this scope that are its labels, besides those of the scope
   * @param reader returns 1, or {@link Figure#ABSENT} if there is none
   */
  public Figure<T> info(int number, String name, List<Text<T>> shown, ToLongFunction<T> reader) {
    Figure.Type type = name.endsWith("_info") ? Figure.Type.INFO : Figure.Type.GAUGE;
    return add(number, type, name, shown, reader);
  }

  private Figure<T> add(
      int figureNumber,
      Figure.Type type,
      String name,
      List<Text<T>> shown,
      ToLongFunction<T> reader) {
    Figure<T> figure = new Figure<>(this, figures.size(), figureNumber, type, name, shown, reader);
    claim(figure.key());
    figures.add(figure);
    return figure;
  }

  private void claim(String name) {
    if (!keys.add(name)) {
      throw new IllegalArgumentException("scope " + key + " has two declarations of " + name);
    }
  }

  /** Declares a text; see {@link Text}. */
  public Text<T> text(int textNumber, String textKey, String help, Function<T, String> reader) {
    Text<T> text = new Text<>(texts.size(), textNumber, textKey, help, reader);
    claim(textKey);
    texts.add(text);
    return text;
  }

  /**
   * Declares a histogram; see {@link Histogram}.
   *
   * @param declaration creates the histogram from its position in a row
   */
  public void histogram(IntFunction<Histogram<T>> declaration) {
    Histogram<T> histogram = declaration.apply(histograms.size());
    claim(histogram.key());
    histograms.add(histogram);
  }

  /** Returns its name in JSON. */
  public String key() {
    return key;
  }

  int number() {
    return number;
  }

  int maxItems() {
    return maxItems;
  }

  Detail detail() {
    return detail;
  }

  /** Returns the names of the labels that distinguish its items below their parent. */
  public List<String> labels() {
    return Collections.unmodifiableList(labels);
  }

  /** Returns the names of all labels, those of the root first. */
  public List<String> allLabels() {
    return Collections.unmodifiableList(allLabels);
  }

  /** Returns the scopes below. */
  public List<Scope<?>> children() {
    return childrenView;
  }

  /** Returns its figures. */
  public List<Figure<T>> figures() {
    return figuresView;
  }

  /** Returns its texts. */
  public List<Text<T>> texts() {
    return textsView;
  }

  /** Returns its histograms. */
  public List<Histogram<T>> histograms() {
    return histogramsView;
  }

  /** Reads an object; the objects below are read at first use. */
  public Row read(T thing) {
    long[] values = new long[figures.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = figures.get(i).read(thing);
    }
    String[] names = new String[labels.size()];
    for (int i = 0; i < names.length; i++) {
      names[i] = labelReaders.get(i).apply(thing);
    }
    String[] read = new String[texts.size()];
    for (int i = 0; i < read.length; i++) {
      read[i] = texts.get(i).reader().apply(thing);
    }
    long[][] counts = new long[histograms.size()][];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = histograms.get(i).reader().apply(thing);
    }
    return new Row(this, List.of(names), read, values, counts, thing);
  }

  /** Reads all objects of this kind that belong to an object of the parent's kind. */
  List<Row> readAll(Object parentThing) {
    List<T> all = items.apply(parentThing);
    List<Row> rows = new ArrayList<>(all.size());
    for (T item : all.subList(0, Math.min(maxItems, all.size()))) {
      rows.add(read(item));
    }
    return List.copyOf(rows);
  }

  /** Returns whether this scope or a scope below has a figure of these groups. */
  public boolean has(Set<Detail> details) {
    for (Figure<T> figure : figures) {
      if (details.contains(figure.detail())) {
        return true;
      }
    }
    for (Scope<?> child : children) {
      if (child.has(details)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public String toString() {
    return parent == null ? key : parent + "." + key;
  }
}
