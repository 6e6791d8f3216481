/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tables of a frame. Whatever the bytes are, either all lengths and numbers of strings in it
 * fit, or it is refused; and no more memory is taken than a small multiple of the bytes.
 */
final class Content {
  private static final int TABLE_HEADER_BYTES = 3 * Layout.WORD;
  private static final int COLUMN_BYTES = 2 * Layout.WORD;

  /** A table with less would be cheap to make and dear to read. */
  private static final int MIN_COLUMNS = 2;

  private static final int MAX_COLUMNS = 1_024;

  private final byte[] bytes;
  private final int end;
  private final int length;
  private int at;
  private int stringEndsAt;
  private int stringBytesAt;
  private @Nullable String[] strings = new String[0];
  private final Map<String, Table> tables = new HashMap<>();
  private long heapBytes;

  /** Reads {@code length} bytes from {@code start} on. */
  Content(byte[] bytes, int start, int length) throws StatsFileException {
    this.bytes = bytes;
    this.at = start;
    this.length = length;
    this.end = start + length;
    readStrings();
    readTables();
  }

  /** Bytes of this content. */
  int byteCount() {
    return length;
  }

  /** Heap that what was read from this takes, about. */
  long heapBytes() {
    return heapBytes;
  }

  private void charge(long bytes) throws StatsFileException {
    heapBytes += bytes;
    Limits.check(heapBytes, Limits.HEAP_BYTES, "bytes of heap that the report takes");
  }

  private long next(String what, long least, long most) throws StatsFileException {
    if (end - at < Layout.WORD) {
      throw new StatsFileException("the frame ends before the " + what);
    }
    long value = Layout.get(bytes, at);
    at += Layout.WORD;
    if (value < least || value > most) {
      throw new StatsFileException(
          what + ": " + value + " (expected: " + least + " to " + most + ")");
    }
    return value;
  }

  private int wordsLeft() {
    return (end - at) / Layout.WORD;
  }

  private void readStrings() throws StatsFileException {
    int count = (int) next("number of strings", 1, wordsLeft());
    int length = (int) next("bytes of strings", 0, end - at);
    if (count > wordsLeft()) {
      throw new StatsFileException("number of strings: " + count);
    }
    stringEndsAt = at;
    long last = 0;
    for (int i = 0; i < count; i++) {
      last = next("end of a string", last, length);
    }
    stringBytesAt = at;
    if (Layout.aligned(length) > end - at) {
      throw new StatsFileException("bytes of strings: " + length);
    }
    at += Layout.aligned(length);
    charge((long) HeapCost.REFERENCE_BYTES * count);
    strings = new String[count];
  }

  private void readTables() throws StatsFileException {
    int count =
        (int) next("number of tables", 0, Math.min(Limits.TABLES, (end - at) / TABLE_HEADER_BYTES));
    for (int i = 0; i < count; i++) {
      String name = string(next("name of a table", 0, strings.length - 1L));
      int columns = (int) next("number of columns", MIN_COLUMNS, MAX_COLUMNS);
      long rows = next("number of rows", 0, wordsLeft());
      Table table = readTable(name, columns, rows);
      if (tables.put(name, table) != null) {
        throw new StatsFileException("two tables of one name");
      }
    }
    if (at != end) {
      throw new StatsFileException("the frame goes on after the last table");
    }
  }

  private Table readTable(String name, int columns, long rows) throws StatsFileException {
    if (wordsLeft() < columns * (COLUMN_BYTES / Layout.WORD)) {
      throw new StatsFileException("number of columns: " + columns);
    }
    charge((long) HeapCost.COLUMN_BYTES * columns);
    Map<String, Integer> indexes = new HashMap<>();
    long[] types = new long[columns];
    for (int i = 0; i < columns; i++) {
      String column = string(next("name of a column", 0, strings.length - 1L));
      types[i] = next("type of a column", Long.MIN_VALUE, Long.MAX_VALUE);
      if (indexes.put(column, i) != null) {
        throw new StatsFileException("two columns of one name");
      }
    }
    if (rows * columns > wordsLeft()) {
      throw new StatsFileException("number of rows: " + rows);
    }
    Table table = new Table(this, name, indexes, types, (int) rows, at);
    at += (int) rows * columns * Layout.WORD;
    return table;
  }

  /** The table of a name; one without rows if it is not there. */
  Table table(String name) {
    Table table = tables.get(name);
    return table != null ? table : new Table(this, name, Map.of(), new long[0], 0, 0);
  }

  long word(int place) {
    return Layout.get(bytes, place);
  }

  /** The table of a name, with no more rows than any writer's. */
  Table limited(String name, int rowBytes) throws StatsFileException {
    Table table = charged(name, rowBytes);
    Limits.check(table.rows(), Limits.ROWS, name);
    return table;
  }

  /** The table of a name, each of whose rows takes {@code rowBytes} of heap. */
  Table charged(String name, int rowBytes) throws StatsFileException {
    Table table = table(name);
    charge((long) rowBytes * table.rows());
    return table;
  }

  /** A string by its number. */
  String string(long number) throws StatsFileException {
    if (number < 0 || number >= strings.length) {
      throw new StatsFileException("there is no string " + number);
    }
    int index = (int) number;
    String known = strings[index];
    if (known == null) {
      int start = index == 0 ? 0 : (int) word(stringEndsAt + (index - 1) * Layout.WORD);
      int stop = (int) word(stringEndsAt + index * Layout.WORD);
      int length = Limits.textBytes(stop - start);
      charge(HeapCost.STRING_BYTES + length);
      known = Limits.text(new String(bytes, stringBytesAt + start, length, StandardCharsets.UTF_8));
      strings[index] = known;
    }
    return known;
  }
}
