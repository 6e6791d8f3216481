/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import dev.cistern.exporter.report.CopyFigures;
import dev.cistern.exporter.report.CopyView;
import dev.cistern.exporter.report.History;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.PoolFigures;
import dev.cistern.exporter.report.Schema;
import dev.cistern.exporter.schema.Figure;
import dev.cistern.exporter.schema.Scope;
import dev.cistern.leak.report.LiveSite;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The history of a process in a region of bytes: of its stats file, or of the heap. Records have a
 * fixed length, and their number determines their offset, so that a new record replaces the oldest.
 * The number is written to the end of a record first, and to its begin last. Therefore a record
 * with two different numbers is incomplete, both for a concurrent reader and after the death of the
 * writer. Used by one writing thread.
 */
final class HistoryRing {
  /** Bytes of a region. */
  static final int BYTES = 208 << 10;

  /** Number of records with a step of a second: five minutes. */
  private static final int FINE = 300;

  /** Number of records with a step of ten seconds: an hour. */
  private static final int COARSE = 360;

  /**
   * Minimum distance of fine records. It is less than a second, because reports that are due each
   * second may come early.
   */
  private static final int FINE_STEP_MILLIS = 900;

  private static final int COARSE_STEP_MILLIS = 10_000;
  private static final int WORD = Long.BYTES;
  private static final int MAX_COLUMNS = 24;

  private static final int SITES = History.SITES;

  /** Number of sites whose names are kept. */
  private static final int NAMES = 63;

  private static final int NAME_BYTES = 192;
  private static final int MAX_NAME = NAME_BYTES - 3 * WORD;

  private static final int COLUMNS_AT = WORD;
  private static final int NAMES_AT = COLUMNS_AT + MAX_COLUMNS * WORD;
  private static final int FINE_AT = NAMES_AT + NAMES * NAME_BYTES;
  private static final int RECORD_BYTES = (3 + MAX_COLUMNS + SITES) * WORD;

  /** Offset of the number at the end of a record. */
  private static final int END_AT = RECORD_BYTES - WORD;

  private static final int COARSE_AT = FINE_AT + FINE * RECORD_BYTES;

  /** A site of a point: number and generation of its name, and its bytes. */
  private static final int BYTES_BITS = 40;

  private static final int GENERATION_BITS = 18;
  private static final long MAX_SITE_BYTES = (1L << BYTES_BITS) - 1;

  private static final List<String> MEMORIES = List.of("direct", "heap");

  private ByteBuffer region;
  private final List<Column> columns = columns();
  private final @Nullable String[] names = new String[NAMES];
  private final long[] generations = new long[NAMES];
  private final long[] usedAt = new long[NAMES];
  private long fine;
  private long coarse;
  private long lastFineMillis;
  private long lastCoarseMillis;

  /** A figure of the process, its sum over the copies, or its sum over the pools of one memory. */
  private record Column(Figure<?> figure, int memory) {
    static final int OF_HOST = 3;
    static final int OF_COPIES = 4;

    /** Returns the stored form. */
    long word() {
      return (long) memory << Integer.SIZE | figure.number();
    }

    History.Column view() {
      return new History.Column(figure.key(), memory < MEMORIES.size() ? MEMORIES.get(memory) : "");
    }

    long value(HostView host) {
      if (memory == OF_HOST) {
        return host.row().get(figure);
      }
      return memory == OF_COPIES ? host.total(figure) : host.total(figure, MEMORIES.get(memory));
    }
  }

  private static List<Column> columns() {
    List<Column> all = new ArrayList<>();
    for (int memory = 0; memory < MEMORIES.size(); memory++) {
      addKept(all, PoolFigures.POOL, memory);
    }
    addKept(all, Schema.host(), Column.OF_HOST);
    addKept(all, CopyFigures.COPY, Column.OF_COPIES);
    if (all.size() > MAX_COLUMNS) {
      throw new IllegalStateException(
          all.size() + " figures have a history (limit: " + MAX_COLUMNS + ")");
    }
    return all;
  }

  private static void addKept(List<Column> to, Scope<?> scope, int memory) {
    for (Figure<?> figure : scope.figures()) {
      if (figure.hasHistory()) {
        to.add(new Column(figure, memory));
      }
    }
  }

  /** Creates an empty history in a region of {@link #BYTES} bytes that are 0. */
  HistoryRing(ByteBuffer region) {
    this.region = region;
    writeColumns();
  }

  private void writeColumns() {
    put(0, columns.size());
    for (int i = 0; i < columns.size(); i++) {
      put(COLUMNS_AT + i * WORD, columns.get(i).word());
    }
  }

  /** Continues in another region, which has a copy of this one, or is empty. */
  void moveTo(ByteBuffer other) {
    region = other;
    writeColumns();
    for (int i = 0; i < NAMES; i++) {
      if (names[i] != null) {
        writeName(i, names[i]);
      }
    }
  }

  /**
   * Writes a word after all earlier writes. Uses a fence, because newer versions of the JDK have no
   * {@code VarHandle} for a heap buffer. A reader compares both ends of a record.
   */
  private void put(int at, long value) {
    VarHandle.releaseFence();
    region.putLong(at, value);
  }

  /** Adds a point, unless the last one is less than about a second old. */
  void add(HostView host) {
    long sinceFine = host.timeMillis() - lastFineMillis;
    if (sinceFine >= 0 && sinceFine < FINE_STEP_MILLIS) {
      return;
    }
    lastFineMillis = host.timeMillis();
    fine++;
    long[] record = record(host);
    write(FINE_AT + (int) (fine % FINE) * RECORD_BYTES, fine, record);
    long step = host.timeMillis() - lastCoarseMillis;
    if (step >= COARSE_STEP_MILLIS || step < 0) { // the clock can be set back
      lastCoarseMillis = host.timeMillis();
      coarse++;
      write(COARSE_AT + (int) (coarse % COARSE) * RECORD_BYTES, coarse, record);
    }
  }

  private long[] record(HostView host) {
    long[] record = new long[RECORD_BYTES / WORD];
    record[1] = host.timeMillis();
    Arrays.fill(record, 2, 2 + MAX_COLUMNS, Figure.ABSENT);
    for (int i = 0; i < columns.size(); i++) {
      record[2 + i] = columns.get(i).value(host);
    }
    int at = 2 + MAX_COLUMNS;
    for (Map.Entry<String, Double> site : largest(host)) {
      long bytes = Math.min(MAX_SITE_BYTES, Math.round(site.getValue()));
      int name = name(site.getKey());
      record[at++] =
          (long) (name + 1) << (BYTES_BITS + GENERATION_BITS)
              | generations[name] << BYTES_BITS
              | bytes;
    }
    return record;
  }

  private static List<Map.Entry<String, Double>> largest(HostView host) {
    Map<String, Double> sites = new TreeMap<>();
    for (CopyView copy : host.copies()) {
      for (LiveSite site : copy.live().sites()) {
        sites.merge(site.site(), site.live().bytes(), Double::sum);
      }
    }
    return sites.entrySet().stream()
        .sorted(Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder()))
        .limit(SITES)
        .toList();
  }

  /** Returns the number of a name. A new name replaces the one that was not used for longest. */
  private int name(String site) {
    int oldest = 0;
    for (int i = 0; i < NAMES; i++) {
      if (site.equals(names[i])) {
        usedAt[i] = fine;
        return i;
      }
      oldest = usedAt[i] < usedAt[oldest] ? i : oldest;
    }
    names[oldest] = site;
    usedAt[oldest] = fine;
    generations[oldest] = (generations[oldest] + 1) & ((1 << GENERATION_BITS) - 1);
    writeName(oldest, site);
    return oldest;
  }

  private void writeName(int number, String site) {
    int at = NAMES_AT + number * NAME_BYTES;
    byte[] text = site.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(text.length, MAX_NAME);
    long mark = generations[number] + 1;
    put(at + NAME_BYTES - WORD, mark);
    VarHandle.storeStoreFence(); // same order as in write()
    region.putLong(at + WORD, length);
    region.put(at + 2 * WORD, text, 0, length);
    put(at, mark);
  }

  private void write(int at, long number, long[] record) {
    put(at + END_AT, number);
    VarHandle.storeStoreFence(); // the following writes become visible after this
    for (int i = 1; i < record.length - 1; i++) {
      region.putLong(at + i * WORD, record[i]);
    }
    put(at, number);
  }

  /** Reads a history of any writer. Unknown or incomplete records are left out. */
  static History read(byte[] bytes) {
    ByteBuffer region = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int count = (int) Math.max(0, Math.min(MAX_COLUMNS, region.getLong(0)));
    List<Column> known = columns();
    List<History.Column> columns = new ArrayList<>();
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long word = region.getLong(COLUMNS_AT + i * WORD);
      for (Column column : known) {
        if (column.word() == word) {
          columns.add(column.view());
          places.add(i);
        }
      }
    }
    TreeMap<Long, History.Point> points = new TreeMap<>();
    long newest = 0;
    long newestMillis = Long.MAX_VALUE;
    for (int i = 0; i < FINE + COARSE; i++) {
      int at = FINE_AT + i * RECORD_BYTES;
      long number = region.getLong(at);
      boolean isThere = i < FINE ? number % FINE == i : number % COARSE == i - FINE;
      if (number > 0 && isThere && number == region.getLong(at + END_AT)) {
        History.Point point = point(region, at, places);
        points.put(point.timeMillis(), point);
        if (i < FINE && number > newest) {
          newest = number;
          newestMillis = point.timeMillis();
        }
      }
    }
    points.tailMap(newestMillis, false).clear(); // records from before the clock was set back
    return new History(columns, List.copyOf(points.values()));
  }

  private static History.Point point(ByteBuffer region, int at, List<Integer> places) {
    List<Long> values = new ArrayList<>();
    places.forEach(place -> values.add(region.getLong(at + (2 + place) * WORD)));
    List<History.Site> sites = new ArrayList<>();
    for (int i = 0; i < SITES; i++) {
      long word = region.getLong(at + (2 + MAX_COLUMNS + i) * WORD);
      int name = (int) (word >>> (BYTES_BITS + GENERATION_BITS)) - 1;
      long generation = word >>> BYTES_BITS & ((1 << GENERATION_BITS) - 1);
      if (name >= 0 && name < NAMES) {
        sites.add(new History.Site(name(region, name, generation), word & MAX_SITE_BYTES));
      }
    }
    return new History.Point(region.getLong(at + WORD), values, sites);
  }

  /** Returns a name; empty if another name has replaced it. */
  private static String name(ByteBuffer region, int number, long generation) {
    int at = NAMES_AT + number * NAME_BYTES;
    long mark = generation + 1;
    if (region.getLong(at) != mark || region.getLong(at + NAME_BYTES - WORD) != mark) {
      return "";
    }
    byte[] text = new byte[(int) Math.max(0, Math.min(MAX_NAME, region.getLong(at + WORD)))];
    region.get(at + 2 * WORD, text);
    return new String(text, StandardCharsets.UTF_8);
  }
}
