/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.schema;

import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/**
 * Declaration of a figure: its name, type, unit, meaning, position and reader. Metrics, JSON, stats
 * file, documentation and dashboards are derived from this single declaration.
 *
 * @param <T> type of the object that it is read from
 */
public final class Figure<T> {
  /** Value of a figure that is not known: it has no series, and is absent in JSON. */
  public static final long ABSENT = Long.MIN_VALUE;

  private static final String PREFIX = "cistern_";
  private static final String TOTAL = "_total";

  private final Scope<T> scope;
  private final int index;
  private final int number;
  private final Type type;
  private final String name;
  private final String key;
  private final Unit unit;
  private final List<Text<T>> texts;
  private final ToLongFunction<T> reader;
  private String help = "";
  private Detail detail;
  private boolean hasHistory;

  /** Type of a figure. */
  public enum Type {
    /** A value at one moment. */
    GAUGE,
    /** A sum since start, which never decreases. */
    COUNTER,
    /** Always 1; its meaning is in its labels. */
    INFO;

    /** Returns its name in the documentation. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Creates a figure.
   *
   * @param index its position in a row
   * @param number its number in the stats file
   * @param texts texts of its scope that are labels of this figure only
   */
  Figure(
      Scope<T> scope,
      int index,
      int number,
      Type type,
      String name,
      List<Text<T>> texts,
      ToLongFunction<T> reader) {
    this.scope = scope;
    this.index = index;
    this.number = number;
    this.type = type;
    this.name = name;
    this.key = keyOf(name);
    this.unit = unitOf(PREFIX + key);
    this.texts = texts;
    this.reader = reader;
    this.detail = scope.detail();
  }

  /** Sets its meaning, in one sentence. For declarations only. */
  public Figure<T> help(String sentence) {
    help = sentence;
    return this;
  }

  /** Makes the figure one that is always exported. For declarations only. */
  public Figure<T> core() {
    detail = Detail.CORE;
    return this;
  }

  /** Makes the figure one that is exported on request. For declarations only. */
  public Figure<T> internal() {
    detail = Detail.INTERNALS;
    return this;
  }

  /** Makes the figure one with a history of an hour. For declarations only. */
  public Figure<T> kept() {
    hasHistory = true;
    return this;
  }

  /** Returns whether the figure has a history of an hour. */
  public boolean hasHistory() {
    return hasHistory;
  }

  /** Returns the scope that it describes. */
  public Scope<T> scope() {
    return scope;
  }

  /** Returns its position in a row of its scope. */
  int index() {
    return index;
  }

  /** Returns its number in the stats file, which no other figure of its scope may have. */
  public int number() {
    return number;
  }

  /** Returns its type. */
  public Type type() {
    return type;
  }

  /** Returns its name in Prometheus, such as {@code cistern_reserved_bytes}. */
  public String name() {
    return name;
  }

  /** Returns its name in JSON: without the prefix, and without {@code _total}. */
  public String key() {
    return key;
  }

  private static String keyOf(String name) {
    String key = name.substring(PREFIX.length());
    return key.endsWith(TOTAL) ? key.substring(0, key.length() - TOTAL.length()) : key;
  }

  /** Returns its unit, which is part of its name. */
  public Unit unit() {
    return unit;
  }

  private static Unit unitOf(String base) {
    if (base.endsWith("_bytes")) {
      return Unit.BYTES;
    }
    if (base.endsWith("_duration_seconds")) {
      return Unit.NANOS;
    }
    return base.endsWith("_seconds") ? Unit.MILLIS : Unit.COUNT;
  }

  /** Returns the group of figures with which it is exported. */
  public Detail detail() {
    return detail;
  }

  /** Returns its meaning in one sentence. */
  public String help() {
    return help;
  }

  /** Returns the texts of its scope that are labels of this figure only. */
  public List<Text<T>> texts() {
    return texts;
  }

  /** Reads its value; {@link #ABSENT} if it is not known. */
  long read(T from) {
    return reader.applyAsLong(from);
  }

  @Override
  public String toString() {
    return name;
  }
}
