/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import dev.cistern.exporter.CopyReport;
import dev.cistern.exporter.HostIdentity;
import dev.cistern.exporter.HostReport;
import dev.cistern.exporter.ModeChange;
import dev.cistern.exporter.StatsFileReport;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.SiteTrend;
import dev.cistern.stats.AllocatorInfo;
import dev.cistern.stats.ArenaFigure;
import dev.cistern.stats.ClassFigure;
import dev.cistern.stats.NettyAllocatorReport;
import dev.cistern.stats.NettyReport;
import dev.cistern.stats.PoolFigure;
import dev.cistern.stats.PoolShape;
import dev.cistern.stats.PoolSnapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Makes a report from the content of a frame, once. */
final class ReportDecoder {
  private final HostIdentity host;
  private final Table report;
  private final Table dropped;
  private final Table copies;
  private final Table pools;
  private final Table arenas;
  private final Table sizeClasses;
  private final Table inventory;
  private final Table nettyAllocators;
  private final Table nettyArenas;
  private final Table trends;
  private final DiagnosticsDecoder diagnostics;

  ReportDecoder(Content content, HostIdentity host, boolean withFrames) throws StatsFileException {
    this.host = host;
    report = content.table("report");
    dropped = content.table("dropped");
    copies = content.table("copies");
    pools = content.limited("pools", HeapCost.POOL);
    arenas = content.limited("arenas", HeapCost.ARENA);
    sizeClasses = content.limited("size_classes", HeapCost.SIZE_CLASS);
    inventory = content.limited("allocators", HeapCost.ALLOCATOR);
    nettyAllocators = content.limited("netty_allocators", HeapCost.NETTY_ALLOCATOR);
    nettyArenas = content.limited("netty_arenas", HeapCost.NETTY_ARENA);
    trends = content.limited("trends", HeapCost.TREND);
    diagnostics = new DiagnosticsDecoder(content, withFrames);
  }

  HostReport decode() throws StatsFileException {
    if (!report.next()) {
      throw new StatsFileException("there is no row in the table report");
    }
    List<CopyReport> all = new ArrayList<>();
    Set<String> names = new HashSet<>();
    Limits.check(copies.rows(), Limits.COPIES, "copies");
    while (copies.next()) {
      CopyReport copy = copy();
      Limits.checkNew(names.add(copy.pool()), "copies of one name");
      all.add(copy);
    }
    checkAllRead();
    return new HostReport(
        host,
        report.number("time_millis"),
        report.number("failures"),
        report.number("control_refusals"),
        all,
        statsFile());
  }

  private void checkAllRead() throws StatsFileException {
    pools.checkAllRead("copy");
    arenas.checkAllRead("pool");
    sizeClasses.checkAllRead("pool");
    inventory.checkAllRead("copy");
    nettyAllocators.checkAllRead("copy");
    nettyArenas.checkAllRead("allocator");
    trends.checkAllRead("copy");
    diagnostics.checkAllRead();
  }

  private StatsFileReport statsFile() throws StatsFileException {
    long rows = 0;
    while (dropped.next()) {
      rows += dropped.integer("rows", 0, Integer.MAX_VALUE);
    }
    return new StatsFileReport(
        report.number("file_writes"),
        report.number("file_failures"),
        report.number("file_bytes"),
        rows);
  }

  private CopyReport copy() throws StatsFileException {
    int row = copies.row();
    List<PoolSnapshot> snapshots = new ArrayList<>();
    Set<String> memories = new HashSet<>();
    while (pools.nextOf("copy", row)) {
      PoolSnapshot snapshot = pool();
      Limits.checkNew(memories.add(snapshot.memory()), "pools of one memory");
      snapshots.add(snapshot);
    }
    return new CopyReport(
        copies.label("pool"),
        copies.label("version"),
        copies.label("mode"),
        copies.text("reason"),
        snapshots,
        copies.number("served"),
        copies.number("fell_back"),
        copies.number("failures"),
        leaks(row),
        live(row),
        netty(row),
        new ModeChange(copies.label("mode_source"), copies.number("mode_since_millis")));
  }

  private LeakReport leaks(int row) throws StatsFileException {
    return new LeakReport(
        copies.text("leak_level"),
        diagnostics.leaks(row),
        copies.number("leaks_dropped"),
        copies.number("leaks_dropped_bytes"),
        copies.number("watched"),
        copies.number("not_watched"),
        copies.number("without_stack"),
        copies.number("watch_failures"));
  }

  private LiveReport live(int row) throws StatsFileException {
    List<SiteTrend> sites = new ArrayList<>();
    while (trends.nextOf("copy", row)) {
      sites.add(
          new SiteTrend(
              trends.memory(),
              trends.text("site"),
              trends.number("minute_bytes"),
              trends.number("five_minutes_bytes"),
              trends.number("suspect_since_millis")));
    }
    return new LiveReport(
        copies.number("live_time_millis"),
        copies.number("live_interval_bytes"),
        diagnostics.liveStacks(row),
        sites,
        copies.number("trends_dropped"));
  }

  private PoolSnapshot pool() throws StatsFileException {
    int row = pools.row();
    List<long[]> arenaRows = new ArrayList<>();
    while (arenas.nextOf("pool", row)) {
      arenaRows.add(figures(arenas, Columns.ARENA_FIGURES));
    }
    Limits.check(arenaRows.size(), Limits.ARENAS, "arenas of a pool");
    List<long[]> classRows = new ArrayList<>();
    Set<Integer> classBytes = new LinkedHashSet<>();
    while (sizeClasses.nextOf("pool", row)) {
      classRows.add(figures(sizeClasses, Columns.CLASS_FIGURES));
      int bytes = sizeClasses.integer("bytes", 0, Integer.MAX_VALUE);
      Limits.checkNew(classBytes.add(bytes), "size classes of " + bytes + " bytes");
    }
    Limits.check(classRows.size(), Limits.SIZE_CLASSES, "size classes of a pool");
    PoolShape shape =
        new PoolShape(
            pools.memory(),
            pools.integer("page_bytes", 0, Integer.MAX_VALUE),
            pools.integer("chunk_bytes", 0, Integer.MAX_VALUE),
            pools.integer("small_classes", 0, classRows.size()),
            arenaRows.size(),
            classBytes.stream().mapToInt(Integer::intValue).toArray());
    return new PoolSnapshot(shape, values(shape, arenaRows, classRows));
  }

  private static long[] figures(Table from, Enum<?>[] columns) throws StatsFileException {
    long[] figures = new long[columns.length];
    for (int i = 0; i < figures.length; i++) {
      figures[i] = from.number(columns[i].name());
    }
    return figures;
  }

  /** In the layout of this version of the library, which may have other figures than the file. */
  private long[] values(PoolShape shape, List<long[]> arenaRows, List<long[]> classRows)
      throws StatsFileException {
    long[] values = new long[shape.values()];
    for (PoolFigure figure : Columns.POOL_FIGURES) {
      values[shape.index(figure)] = pools.number(figure.name(), figure.missing());
    }
    for (int arena = 0; arena < arenaRows.size(); arena++) {
      for (ArenaFigure figure : Columns.ARENA_FIGURES) {
        values[shape.index(figure, arena)] = arenaRows.get(arena)[figure.ordinal()];
      }
    }
    for (int sizeClass = 0; sizeClass < classRows.size(); sizeClass++) {
      for (ClassFigure figure : Columns.CLASS_FIGURES) {
        values[shape.index(figure, sizeClass)] = classRows.get(sizeClass)[figure.ordinal()];
      }
    }
    return values;
  }

  private NettyReport netty(int row) throws StatsFileException {
    List<NettyAllocatorReport> allocators = new ArrayList<>();
    Set<String> instances = new HashSet<>();
    Map<String, Integer> counts = new HashMap<>();
    while (nettyAllocators.nextOf("copy", row)) {
      NettyAllocatorReport allocator = nettyAllocator();
      Limits.checkNew(
          instances.add(allocator.name() + ' ' + allocator.memory()), "allocators of one number");
      int count = counts.merge(allocator.memory(), 1, Integer::sum);
      Limits.check(count, Limits.NETTY_ALLOCATORS, "allocators of a copy");
      allocators.add(allocator);
    }
    return new NettyReport(allocators, copies.number("netty_dropped"), inventory(row));
  }

  private List<AllocatorInfo> inventory(int row) throws StatsFileException {
    List<AllocatorInfo> all = new ArrayList<>();
    Set<String> names = new HashSet<>();
    while (inventory.nextOf("copy", row)) {
      Limits.checkNew(names.add(inventory.label("name")), "allocators of one name");
      Limits.check(names.size(), Limits.NETTY_ALLOCATORS, "allocators of a copy");
      all.add(
          new AllocatorInfo(
              inventory.label("name"),
              inventory.label("type"),
              inventory.label("created_by"),
              inventory.label("service"),
              inventory.number("since_millis"),
              inventory.text("reason")));
    }
    return all;
  }

  private NettyAllocatorReport nettyAllocator() throws StatsFileException {
    List<Long> threadCaches = new ArrayList<>();
    while (nettyArenas.nextOf("allocator", nettyAllocators.row())) {
      threadCaches.add(nettyArenas.number("thread_caches"));
    }
    Limits.check(threadCaches.size(), Limits.ARENAS, "arenas of an allocator");
    return new NettyAllocatorReport(
        nettyAllocators.integer("number", 0, Integer.MAX_VALUE),
        nettyAllocators.number("is_pooled") != 0,
        nettyAllocators.memory(),
        nettyAllocators.integer("arenas", 0, Integer.MAX_VALUE),
        nettyAllocators.number("chunk_size_bytes"),
        nettyAllocators.number("reserved_bytes"),
        nettyAllocators.number("pinned_bytes"),
        nettyAllocators.number("free_page_bytes"),
        nettyAllocators.number("huge_bytes"),
        nettyAllocators.number("active_allocations"),
        figures(Columns.ALLOCATIONS),
        figures(Columns.DEALLOCATIONS),
        figures(Columns.CHUNKS),
        threadCaches);
  }

  private List<Long> figures(String[] columns) throws StatsFileException {
    List<Long> figures = new ArrayList<>(columns.length);
    for (String column : columns) {
      figures.add(nettyAllocators.number(column));
    }
    return figures;
  }
}
