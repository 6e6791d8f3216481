/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import dev.cistern.exporter.HostIdentity;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;

/** Stats files that are small on disk, and as large as can be when they are read. */
public final class WorstFiles {
  private static final int NARROW_ROWS = 65_536;

  private final HostIdentity host;
  private final StringTable strings = new StringTable();

  private WorstFiles(HostIdentity host) {
    this.host = host;
  }

  /** Those that a reader takes, by what they are full of. */
  public static Map<String, byte[]> accepted(HostIdentity host) {
    Map<String, byte[]> files = new LinkedHashMap<>();
    files.put("leaks", new WorstFiles(host).leaks(32_000));
    files.put("live_stacks", new WorstFiles(host).liveStacks(27_000));
    files.put("arenas", new WorstFiles(host).arenas(15_000));
    files.put("accesses", new WorstFiles(host).accesses(NARROW_ROWS));
    files.put("stacks", new WorstFiles(host).stacks(65_000, 1));
    files.put("sites", new WorstFiles(host).stacks(50_000, 50_000));
    files.put("frames", new WorstFiles(host).frames(15_000));
    files.put("columns", new WorstFiles(host).wideTables(60, 1_024));
    return files;
  }

  /** Those that it refuses. */
  public static Map<String, byte[]> refused(HostIdentity host) {
    Map<String, byte[]> files = new LinkedHashMap<>();
    files.put("tables", new WorstFiles(host).wideTables(20_000, 2));
    files.put("leaks", new WorstFiles(host).leaks(NARROW_ROWS));
    files.put("live_stacks", new WorstFiles(host).liveStacks(NARROW_ROWS));
    files.put("arenas", new WorstFiles(host).arenas(NARROW_ROWS));
    files.put("sites", new WorstFiles(host).stacks(80_000, 80_000));
    byte[] large = new WorstFiles(host).leaks(1);
    int bytes = Layout.MAX_FILE_BYTES;
    large = Images.resized(large, bytes);
    Images.put(large, Layout.slotAt(0) + Layout.WORD, bytes - Layout.HEADER_BYTES);
    files.put("slot", large);
    byte[] twice = new WorstFiles(host).leaks(1);
    Images.put(twice, Layout.slotAt(1) + Layout.WORD, Layout.get(twice, Layout.slotAt(0) + 8));
    files.put("overlap", twice);
    return files;
  }

  /** The same of a host that is gone: without a heartbeat for ten minutes. */
  public static byte[] dead(byte[] file) {
    byte[] dead = file.clone();
    Images.put(dead, Layout.HEARTBEAT_MILLIS_AT, System.currentTimeMillis() - 600_000);
    return dead;
  }

  /** The same with another sequence, as if it had been written anew. */
  public static byte[] again(byte[] file, long sequence) {
    byte[] changed = file.clone();
    Images.put(changed, Images.slotAt(file, 0) + Layout.SEQUENCE_AT, sequence);
    return changed;
  }

  /** The same that says that it is written so seldom. */
  public static byte[] withInterval(byte[] file, long millis) {
    byte[] changed = file.clone();
    Images.put(changed, Layout.INTERVAL_MILLIS_AT, millis);
    return changed;
  }

  /** The same of another host. */
  public static byte[] of(HostIdentity other, byte[] file) {
    byte[] changed = file.clone();
    Images.put(changed, Layout.HOST_ID_AT, Long.parseUnsignedLong(other.id(), 16));
    return changed;
  }

  private TableWriter table(String name, int rows, ObjIntConsumer<TableWriter> cells) {
    TableWriter table = new TableWriter(name, strings);
    for (int row = 0; row < rows; row++) {
      cells.accept(table.row(), row);
    }
    return table;
  }

  private byte[] leaks(int rows) {
    return withCopies(1, table("leaks", rows, (to, i) -> to.text("memory", "heap").number("x", i)));
  }

  private byte[] liveStacks(int rows) {
    return withCopies(
        1, table("live_stacks", rows, (to, i) -> to.text("memory", "heap").number("x", i)));
  }

  private byte[] arenas(int rows) {
    int pools = rows / 4_000 + 1;
    return withCopies(
        pools,
        table("pools", pools, (to, i) -> to.text("memory", "heap").number("copy", i)),
        table("arenas", rows, (to, i) -> to.number("pool", i / 4_000).number("x", i)));
  }

  private byte[] accesses(int rows) {
    return withCopies(
        1,
        table("leaks", 1, (to, i) -> to.text("memory", "heap").number("found", 1)),
        table("accesses", rows, (to, i) -> to.number("leak", 0).number("stack", 0)));
  }

  private byte[] stacks(int rows, int sites) {
    return withCopies(
        1,
        table("stacks", rows, (to, i) -> to.text("site", "水" + i % sites).number("frame", 0)),
        table("leaks", 1, (to, i) -> to.text("memory", "heap").number("found", 1)));
  }

  /** Each stack has all frames; what is not known makes the content long enough for that. */
  private byte[] frames(int stacks) {
    return withCopies(
        1,
        table("frames", 128, (to, i) -> to.text("text", "水" + i).number("caller", i)),
        table("stacks", stacks, (to, i) -> to.text("site", "site").number("frame", 128)),
        table("live_stacks", 4_000, (to, i) -> to.text("memory", "heap").number("stack", i + 1)),
        table("unknown", 60_000, (to, i) -> to.number("a", i).number("b", i)));
  }

  private byte[] wideTables(int count, int columns) {
    TableWriter[] tables = new TableWriter[count];
    Arrays.setAll(tables, number -> wide("t" + number, columns));
    return withCopies(1, tables);
  }

  private TableWriter wide(String name, int columns) {
    Consumer<TableWriter> cells =
        to -> {
          for (int i = 0; i < columns; i++) {
            to.number("column" + i, i);
          }
        };
    return table(name, 1, (to, i) -> cells.accept(to));
  }

  private byte[] withCopies(int copies, TableWriter... others) {
    TableWriter[] tables = Arrays.copyOf(others, others.length + 2);
    tables[others.length] =
        table("report", 1, (to, i) -> to.number("time_millis", 1).number("failures", 0));
    tables[others.length + 1] =
        table("copies", copies, (to, i) -> to.text("pool", "p" + i).text("mode", "swap"));
    return file(tables);
  }

  private byte[] file(TableWriter... tables) {
    int bytes = Layout.WORD;
    for (TableWriter table : tables) {
      table.nameColumns();
      bytes += table.encodedBytes();
    }
    bytes += strings.encodedBytes();
    int slotBytes = Layout.FRAME_HEADER_BYTES + bytes;
    byte[] made =
        Arrays.copyOf(
            HeaderWriter.header(host, Layout.HEADER_BYTES + slotBytes, 1_000),
            Layout.HEADER_BYTES + slotBytes);
    Images.put(made, Layout.slotAt(0) + Layout.WORD, slotBytes);
    Images.put(made, Layout.slotAt(1), Layout.HEADER_BYTES);
    Images.put(made, Layout.slotAt(1) + Layout.WORD, 0);
    Images.put(made, Layout.readyAt(Layout.HEADER_BYTES), Layout.READY);
    Images.put(made, Layout.HEADER_BYTES + Layout.SEQUENCE_AT, 2);
    Images.put(made, Layout.HEADER_BYTES + Layout.LENGTH_AT, bytes);
    int at = strings.writeTo(made, Layout.HEADER_BYTES + Layout.FRAME_HEADER_BYTES);
    Layout.put(made, at, tables.length);
    at += Layout.WORD;
    for (TableWriter table : tables) {
      at = table.writeTo(made, at);
    }
    Images.seal(made);
    return made;
  }
}
