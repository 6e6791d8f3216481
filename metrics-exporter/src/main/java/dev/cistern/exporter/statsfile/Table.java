/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import java.util.Map;

/**
 * A table that is read from its first row to its last. Columns are found by name; one that is not
 * there reads as 0 unless the caller gives another number, and as the empty string.
 */
final class Table {
  /** Places for the columns that were asked for. A power of two. */
  private static final int ASKED = 64;

  private final Content content;
  private final String name;
  private final Map<String, Integer> columns;
  private final long[] types;
  private final int rows;
  private final int start;

  /** Made when it is first asked for: most of many tables may be unknown. */
  private String[] asked = {};

  private int[] indexes = {};
  private int row = -1;

  Table(
      Content content,
      String name,
      Map<String, Integer> columns,
      long[] types,
      int rows,
      int start) {
    this.content = content;
    this.name = name;
    this.columns = columns;
    this.types = types;
    this.rows = rows;
    this.start = start;
  }

  int rows() {
    return rows;
  }

  /** The row that is read now. */
  int row() {
    return row;
  }

  /** Goes on to the next row; false if there is none. */
  boolean next() {
    if (row + 1 >= rows) {
      return false;
    }
    row++;
    return true;
  }

  /** Goes on to the next row if it belongs to row {@code owner} of another table. */
  boolean nextOf(String column, int owner) throws StatsFileException {
    if (!next()) {
      return false;
    }
    long found = number(column);
    if (found < owner) {
      throw new StatsFileException(name + ": rows out of order");
    }
    if (found > owner) {
      row--;
      return false;
    }
    return true;
  }

  /** Refuses what belongs to a row that is not there. */
  void checkAllRead(String column) throws StatsFileException {
    if (row + 1 < rows) {
      row++;
      throw new StatsFileException(name + ": there is no " + column + " " + number(column));
    }
  }

  private long cell(String column, long type, long missing) throws StatsFileException {
    int index = index(column);
    if (index < 0) {
      return missing;
    }
    if (types[index] != type) {
      throw new StatsFileException(name + ": the type of " + column + " is " + types[index]);
    }
    return content.word(start + (row * types.length + index) * Layout.WORD);
  }

  /**
   * The place of a column, negative if it is not there. The same few constants are asked for in
   * each row: they are known again by identity, which takes a fraction of the time of a map.
   */
  @SuppressWarnings("ReferenceEquality") // an equal name that is another is looked up again
  private int index(String column) {
    if (asked.length == 0) {
      asked = new String[ASKED];
      indexes = new int[ASKED];
    }
    int place = column.hashCode() & (ASKED - 1);
    if (asked[place] != column) {
      asked[place] = column;
      indexes[place] = columns.getOrDefault(column, -1);
    }
    return indexes[place];
  }

  long number(String column) throws StatsFileException {
    return number(column, 0);
  }

  /** Returns a number, or {@code missing} if there is no such column. */
  long number(String column, long missing) throws StatsFileException {
    return cell(column, Layout.TYPE_NUMBER, missing);
  }

  /** A number that is used as an {@code int}. */
  int integer(String column, int least, int most) throws StatsFileException {
    long value = number(column);
    if (value < least || value > most) {
      throw new StatsFileException(
          name + ": " + column + ": " + value + " (expected: " + least + " to " + most + ")");
    }
    return (int) value;
  }

  /** A number of which there cannot be less than none. */
  long count(String column) throws StatsFileException {
    long value = number(column);
    if (value < 0) {
      throw new StatsFileException(name + ": " + column + ": " + value + " (expected: 0 or more)");
    }
    return value;
  }

  double decimal(String column) throws StatsFileException {
    return Double.longBitsToDouble(cell(column, Layout.TYPE_DECIMAL, 0));
  }

  String text(String column) throws StatsFileException {
    return content.string(cell(column, Layout.TYPE_TEXT, 0));
  }

  /** A text that becomes a label. */
  String label(String column) throws StatsFileException {
    String text = text(column);
    Limits.check(text.length(), Limits.LABEL_CHARS, name + ": characters of " + column);
    return text;
  }

  /** A kind of memory. */
  String memory() throws StatsFileException {
    String memory = text("memory");
    if (!memory.equals("direct") && !memory.equals("heap")) {
      throw new StatsFileException(name + ": a memory that is unknown (expected: direct or heap)");
    }
    return memory;
  }
}
