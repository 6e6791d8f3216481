/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import dev.cistern.exporter.CopyReport;
import dev.cistern.exporter.HostReport;
import dev.cistern.exporter.StatsFileReport;
import dev.cistern.leak.report.SiteTrend;
import dev.cistern.stats.AllocatorInfo;
import dev.cistern.stats.ArenaFigure;
import dev.cistern.stats.ClassFigure;
import dev.cistern.stats.NettyAllocatorReport;
import dev.cistern.stats.PoolFigure;
import dev.cistern.stats.PoolShape;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.SizeGroup;
import java.util.List;

/** Makes the content of a frame from a report. Its buffers are used again for the next. */
final class ReportEncoder {
  private final StringTable strings = new StringTable();
  private final TableWriter report = new TableWriter("report", strings);
  private final TableWriter dropped = new TableWriter("dropped", strings);
  private final TableWriter copies = new TableWriter("copies", strings);
  private final TableWriter pools = new TableWriter("pools", strings);
  private final TableWriter arenas = new TableWriter("arenas", strings);
  private final TableWriter sizeClasses = new TableWriter("size_classes", strings);
  private final TableWriter allocators = new TableWriter("allocators", strings);
  private final TableWriter nettyAllocators = new TableWriter("netty_allocators", strings);
  private final TableWriter nettyArenas = new TableWriter("netty_arenas", strings);
  private final TableWriter trends = new TableWriter("trends", strings);
  private final DiagnosticsTables diagnostics = new DiagnosticsTables(strings);
  private final TableWriter[] tables = {
    report,
    dropped,
    copies,
    pools,
    arenas,
    sizeClasses,
    allocators,
    nettyAllocators,
    nettyArenas,
    trends,
    diagnostics.leaks,
    diagnostics.accesses,
    diagnostics.liveStacks,
    diagnostics.stacks,
    diagnostics.frames
  };

  private byte[] content = new byte[0];
  private int copiesDropped;

  /**
   * Encodes {@code of}, without what {@code reduction} leaves out.
   *
   * @return the bytes that {@link #content()} needs, filled in only if there are at most {@code
   *     limit}
   */
  int encode(HostReport of, Reduction reduction, int limit) {
    clear();
    diagnostics.reduce(reduction);
    List<CopyReport> known = of.copies();
    int kept = Math.min(known.size(), Limits.COPIES); // the first, which were there before
    for (int i = 0; i < kept; i++) {
      add(known.get(i));
    }
    copiesDropped = known.size() - kept;
    add(of);
    addDropped();
    long bytes = size();
    if (bytes > limit) {
      return (int) Math.min(bytes, Integer.MAX_VALUE);
    }
    write((int) bytes);
    return (int) bytes;
  }

  /** What was encoded last, from the start. */
  byte[] content() {
    return content;
  }

  /** Rows and stacks that the last content leaves out. */
  long rowsDropped() {
    return copiesDropped + diagnostics.rowsDropped();
  }

  /** Lets go of what is no longer needed: strings of the host's report. */
  private void clear() {
    strings.clear();
    diagnostics.clear();
    for (TableWriter table : tables) {
      table.clear();
    }
  }

  private long size() {
    for (TableWriter table : tables) {
      if (table.rows() > 0) {
        table.nameColumns();
      }
    }
    long bytes = (long) strings.encodedBytes() + Layout.WORD;
    for (TableWriter table : tables) {
      bytes += table.encodedBytes();
    }
    return bytes;
  }

  private void write(int bytes) {
    if (content.length < bytes) {
      content = new byte[Layout.aligned(bytes + bytes / 4)];
    }
    int at = strings.writeTo(content, 0);
    int filled = 0;
    for (TableWriter table : tables) {
      filled += table.rows() > 0 ? 1 : 0;
    }
    Layout.put(content, at, filled);
    at += Layout.WORD;
    for (TableWriter table : tables) {
      at = table.rows() > 0 ? table.writeTo(content, at) : at;
    }
  }

  private void add(HostReport of) {
    StatsFileReport file = of.statsFile();
    report
        .row()
        .number("time_millis", of.timeMillis())
        .number("failures", of.failures())
        .number("control_refusals", of.controlRefusals())
        .number("file_writes", file.writes())
        .number("file_failures", file.failures())
        .number("file_bytes", file.bytes());
  }

  private void addDropped() {
    if (rowsDropped() > 0) {
      dropped.row().text("what", "copies").number("rows", copiesDropped);
      diagnostics.describeDropped(dropped);
    }
  }

  private void add(CopyReport copy) {
    int row = copies.rows();
    copies
        .row()
        .text("pool", Limits.label(copy.pool()))
        .text("version", Limits.label(copy.version()))
        .text("mode", Limits.label(copy.mode()))
        .text("reason", copy.reason())
        .text("mode_source", Limits.label(copy.modeChange().source()))
        .number("mode_since_millis", copy.modeChange().timeMillis())
        .number("served", copy.served())
        .number("fell_back", copy.fellBack())
        .number("failures", copy.failures())
        .number("netty_dropped", copy.netty().dropped());
    diagnostics.describe(copy, copies);
    for (PoolSnapshot pool : copy.pools()) {
      add(pool, row);
    }
    List<AllocatorInfo> inventory = copy.netty().inventory();
    for (AllocatorInfo each :
        inventory.subList(0, Math.min(inventory.size(), Limits.NETTY_ALLOCATORS))) {
      add(each, row);
    }
    for (NettyAllocatorReport allocator : copy.netty().allocators()) {
      add(allocator, row);
    }
    diagnostics.add(copy, row);
    for (SiteTrend trend : copy.live().trends()) {
      trends
          .row()
          .number("copy", row)
          .text("memory", trend.memory())
          .text("site", trend.site())
          .number("minute_bytes", trend.minuteBytes())
          .number("five_minutes_bytes", trend.fiveMinutesBytes())
          .number("suspect_since_millis", trend.suspectSinceMillis());
    }
  }

  private void add(PoolSnapshot pool, int copy) {
    PoolShape shape = pool.shape();
    int row = pools.rows();
    pools
        .row()
        .number("copy", copy)
        .text("memory", shape.memory())
        .number("page_bytes", shape.pageBytes())
        .number("chunk_bytes", shape.chunkBytes())
        .number("small_classes", smallClasses(shape));
    for (PoolFigure figure : Columns.POOL_FIGURES) {
      pools.number(figure.name(), pool.get(figure));
    }
    for (int arena = 0; arena < shape.arenas(); arena++) {
      arenas.row().number("pool", row);
      for (ArenaFigure figure : Columns.ARENA_FIGURES) {
        arenas.number(figure.name(), pool.get(figure, arena));
      }
    }
    for (int sizeClass = 0; sizeClass < shape.sizeClasses(); sizeClass++) {
      sizeClasses.row().number("pool", row).number("bytes", shape.sizeClassBytes(sizeClass));
      for (ClassFigure figure : Columns.CLASS_FIGURES) {
        sizeClasses.number(figure.name(), pool.get(figure, sizeClass));
      }
    }
  }

  private static int smallClasses(PoolShape shape) {
    int small = 0;
    while (small < shape.sizeClasses() && shape.sizeGroup(small) == SizeGroup.SMALL) {
      small++;
    }
    return small;
  }

  private void add(AllocatorInfo allocator, int copy) {
    allocators
        .row()
        .number("copy", copy)
        .text("name", Limits.label(allocator.name()))
        .text("type", Limits.label(allocator.type()))
        .text("created_by", Limits.label(allocator.createdBy()))
        .text("service", allocator.service())
        .number("since_millis", allocator.sinceMillis())
        .text("reason", allocator.reason());
  }

  private void add(NettyAllocatorReport allocator, int copy) {
    int row = nettyAllocators.rows();
    nettyAllocators
        .row()
        .number("copy", copy)
        .number("number", allocator.number())
        .number("is_pooled", allocator.isPooled() ? 1 : 0)
        .text("memory", allocator.memory())
        .number("arenas", allocator.arenas())
        .number("chunk_size_bytes", allocator.chunkSizeBytes())
        .number("reserved_bytes", allocator.reservedBytes())
        .number("pinned_bytes", allocator.pinnedBytes())
        .number("free_page_bytes", allocator.freePageBytes())
        .number("huge_bytes", allocator.hugeBytes())
        .number("active_allocations", allocator.activeAllocations());
    add(Columns.ALLOCATIONS, allocator.allocations());
    add(Columns.DEALLOCATIONS, allocator.deallocations());
    add(Columns.CHUNKS, allocator.chunks());
    for (long threadCaches : allocator.threadCaches()) {
      nettyArenas.row().number("allocator", row).number("thread_caches", threadCaches);
    }
  }

  private void add(String[] columns, List<Long> figures) {
    for (int i = 0; i < columns.length; i++) {
      nettyAllocators.number(columns[i], i < figures.size() ? figures.get(i) : 0);
    }
  }
}
