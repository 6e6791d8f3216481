/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import java.util.Arrays;

/**
 * A table that is being filled, row by row. The first row ever says which columns there are; all
 * others have the same, in the same order.
 */
final class TableWriter {
  private final String name;
  private final StringTable strings;
  private String[] columns = new String[16];
  private long[] types = new long[16];
  private int columnCount;
  private long[] cells = new long[64];
  private int cellCount;
  private int rows;

  TableWriter(String name, StringTable strings) {
    this.name = name;
    this.strings = strings;
  }

  void clear() {
    cellCount = 0;
    rows = 0;
  }

  int rows() {
    return rows;
  }

  /** Begins a row; returns this. */
  TableWriter row() {
    if (rows == 1) {
      columnCount = cellCount;
    } else if (cellCount != rows * columnCount && rows > 0) {
      throw new IllegalStateException(name + ": a row with other columns");
    }
    rows++;
    return this;
  }

  TableWriter number(String column, long value) {
    return cell(column, Layout.TYPE_NUMBER, value);
  }

  TableWriter decimal(String column, double value) {
    return cell(column, Layout.TYPE_DECIMAL, Double.doubleToRawLongBits(value));
  }

  TableWriter text(String column, String value) {
    return cell(column, Layout.TYPE_TEXT, strings.id(value));
  }

  private TableWriter cell(String column, long type, long value) {
    if (rows == 1) {
      declare(cellCount, column, type);
    }
    if (cellCount == cells.length) {
      cells = Arrays.copyOf(cells, 2 * cells.length);
    }
    cells[cellCount++] = value;
    return this;
  }

  private void declare(int index, String column, long type) {
    if (index == columns.length) {
      columns = Arrays.copyOf(columns, 2 * index);
      types = Arrays.copyOf(types, 2 * index);
    }
    columns[index] = column;
    types[index] = type;
  }

  private int columnCount() {
    return rows == 1 ? cellCount : columnCount;
  }

  /** Puts the names among the strings: before those are written. */
  void nameColumns() {
    int unused = strings.id(name);
    for (int i = 0; i < columnCount(); i++) {
      unused = strings.id(columns[i]);
    }
  }

  /** Bytes that {@link #writeTo} takes; none without rows. */
  int encodedBytes() {
    return rows == 0 ? 0 : Layout.WORD * (3 + 2 * columnCount() + cellCount);
  }

  /** Writes name, number of columns and of rows, the columns' names and types, the cells. */
  int writeTo(byte[] out, int at) {
    Layout.put(out, at, strings.id(name));
    Layout.put(out, at + Layout.WORD, columnCount());
    Layout.put(out, at + 2 * Layout.WORD, rows);
    int next = at + 3 * Layout.WORD;
    for (int i = 0; i < columnCount(); i++, next += 2 * Layout.WORD) {
      Layout.put(out, next, strings.id(columns[i]));
      Layout.put(out, next + Layout.WORD, types[i]);
    }
    for (int i = 0; i < cellCount; i++, next += Layout.WORD) {
      Layout.put(out, next, cells[i]);
    }
    return next;
  }
}
