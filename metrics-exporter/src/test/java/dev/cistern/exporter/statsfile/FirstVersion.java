/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import dev.cistern.exporter.CopyReport;
import dev.cistern.exporter.HostReport;
import dev.cistern.stats.PoolFigure;
import dev.cistern.stats.PoolSnapshot;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes files of format version 1: a header of half the length without pod and container; no
 * tables of Netty's own allocators, accesses, trends and what was dropped; no reasons; and fewer
 * figures. Written apart from the writer, so that this does not change when that does.
 */
final class FirstVersion {
  private static final int HEADER_BYTES = 2_048;

  private final List<String> strings = new ArrayList<>(List.of(""));
  private final List<Long> tables = new ArrayList<>();
  private int tableCount;

  private FirstVersion() {}

  static byte[] file(HostReport report) {
    FirstVersion version = new FirstVersion();
    byte[] content = version.content(report);
    int slotBytes = 32 + content.length;
    byte[] file = new byte[HEADER_BYTES + slotBytes];
    long[] words = {
      0x0a4e524554534943L, // "CISTERN\n"
      1,
      HEADER_BYTES,
      file.length,
      Long.parseUnsignedLong(report.host().id(), 16),
      report.host().pid(),
      report.host().startMillis(),
      report.timeMillis() + 500, // heartbeat
      1_000, // interval
      0, // exit
      0, // flags
      0, // died
      HEADER_BYTES, // slot 0
      slotBytes,
      HEADER_BYTES, // slot 1
      0
    };
    for (int i = 0; i < words.length; i++) {
      Images.put(file, 8 * i, words[i]);
    }
    putText(file, 128, report.host().application());
    putText(file, 640, report.host().version());
    Images.put(file, HEADER_BYTES - 8, 0x0a0a215944414552L); // "READY!\n\n"
    Images.put(file, HEADER_BYTES, 2);
    Images.put(file, HEADER_BYTES + 16, content.length);
    Images.put(file, HEADER_BYTES + 24, report.timeMillis());
    System.arraycopy(content, 0, file, HEADER_BYTES + 32, content.length);
    Images.seal(file);
    return file;
  }

  private static void putText(byte[] file, int at, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    Images.put(file, at, bytes.length);
    System.arraycopy(bytes, 0, file, at + 8, bytes.length);
  }

  private long id(String text) {
    if (!strings.contains(text)) {
      strings.add(text);
    }
    return strings.indexOf(text);
  }

  private void table(String name, List<Object> columns, List<List<Object>> rows) {
    tableCount++;
    tables.add(id(name));
    tables.add((long) columns.size());
    tables.add((long) rows.size());
    for (int i = 0; i < columns.size(); i++) {
      tables.add(id((String) columns.get(i)));
      tables.add(rows.get(0).get(i) instanceof String ? 3L : 1L);
    }
    for (List<Object> row : rows) {
      for (Object cell : row) {
        tables.add(cell instanceof String text ? id(text) : (Long) cell);
      }
    }
  }

  private byte[] content(HostReport report) {
    table(
        "report",
        List.of("time_millis", "failures"),
        List.of(List.of(report.timeMillis(), report.failures())));
    List<List<Object>> copies = new ArrayList<>();
    List<List<Object>> pools = new ArrayList<>();
    for (CopyReport copy : report.copies()) {
      for (PoolSnapshot pool : copy.pools()) {
        long reserved = pool.get(PoolFigure.RESERVED_BYTES);
        long pinned = pool.get(PoolFigure.PINNED_BYTES);
        pools.add(List.of((long) copies.size(), pool.memory(), reserved, pinned));
      }
      copies.add(List.of(copy.pool(), copy.version(), copy.mode(), copy.served()));
    }
    table("copies", List.of("pool", "version", "mode", "served"), copies);
    table("pools", List.of("copy", "memory", "RESERVED_BYTES", "PINNED_BYTES"), pools);
    return bytes();
  }

  private byte[] bytes() {
    StringBuilder all = new StringBuilder();
    List<Long> words = new ArrayList<>();
    for (String text : strings) {
      all.append(text);
      words.add((long) all.toString().getBytes(StandardCharsets.UTF_8).length);
    }
    byte[] text = all.toString().getBytes(StandardCharsets.UTF_8);
    words.add(0, (long) text.length);
    words.add(0, (long) strings.size());
    int textAt = 8 * words.size();
    int tablesAt = textAt + (text.length + 7) / 8 * 8;
    byte[] content = new byte[tablesAt + 8 + 8 * tables.size()];
    for (int i = 0; i < words.size(); i++) {
      Images.put(content, 8 * i, words.get(i));
    }
    System.arraycopy(text, 0, content, textAt, text.length);
    Images.put(content, tablesAt, tableCount);
    for (int i = 0; i < tables.size(); i++) {
      Images.put(content, tablesAt + 8 + 8 * i, tables.get(i));
    }
    return content;
  }
}
