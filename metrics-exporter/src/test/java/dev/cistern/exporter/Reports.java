/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import dev.cistern.exporter.finding.Diagnosed;
import dev.cistern.exporter.report.HostIdentity;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.ModeChange;
import dev.cistern.exporter.report.PoolReport;
import dev.cistern.leak.report.CallStack;
import dev.cistern.leak.report.LeakAccess;
import dev.cistern.leak.report.LeakEntry;
import dev.cistern.leak.report.LeakRecord;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LifetimeReport;
import dev.cistern.leak.report.LiveEstimate;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.LiveStack;
import dev.cistern.leak.report.RankedLeaks;
import dev.cistern.leak.report.SiteTrend;
import dev.cistern.stats.AllocatorInfo;
import dev.cistern.stats.ArenaStat;
import dev.cistern.stats.NettyAllocatorReport;
import dev.cistern.stats.NettyReport;
import dev.cistern.stats.PoolLayout;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.PoolStat;
import dev.cistern.stats.SizeClassStat;
import dev.cistern.stats.UsageBand;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reports in which every value is fixed and different. */
public final class Reports {
  /** 2026-11-20T12:00:00Z. */
  public static final long NOON_MILLIS = 1_795_176_000_000L;

  /** A name with control characters for a terminal and markup for a browser. */
  static final String HOSTILE_THREAD = "worker <1>\u001b[31m";

  /** Identity of all hosts here. */
  public static final HostIdentity HOST = identity("shop");

  private Reports() {}

  /** Returns an identity that is the same in each run. */
  static HostIdentity identity(String application) {
    return new HostIdentity("00c0ffee00c0ffee", application, "", "", 42, "0.1.0", NOON_MILLIS);
  }

  /** Returns a host with one copy of Netty, two kinds of memory and two leaks. */
  public static HostReport host() {
    return host(copy("io.netty", leaks()));
  }

  /** Returns a host that shows every metric: one copy is swapped, one is observed. */
  static HostReport everything() {
    return Diagnosed.everything(host(copy("io.netty", leaks()), Holders.watched(observed())));
  }

  public static HostReport host(PoolReport... copies) {
    return new HostReport(HOST, NOON_MILLIS, 1, List.of(copies));
  }

  /**
   * Returns an observed copy: two pooled allocators, an adaptive one, and one that was garbage
   * collected.
   */
  static PoolReport observed() {
    return new PoolReport(
        "a.io.netty",
        "4.2.18.Final",
        "observe",
        "",
        List.of(),
        0,
        0,
        0,
        leaks(List.of()),
        live(List.of(), List.of()),
        netty(3).withInventory(inventory(3)),
        ModeChange.UNKNOWN,
        List.of());
  }

  /** Returns a report of this number of allocators, and of one that was garbage collected. */
  static NettyReport netty(int instances) {
    List<NettyAllocatorReport> parts = new ArrayList<>();
    for (int i = 0; i < instances; i++) {
      boolean isPooled = i % 3 != 2;
      parts.add(part(i + 1, isPooled, "direct", 1_000L * (i + 1)));
      parts.add(part(i + 1, isPooled, "heap", 1_000L * (i + 1) + 500));
    }
    parts.add(part(0, true, "direct", 7));
    return new NettyReport(parts, 4, List.of(), new NettyReport.Limit(1L << 30, 30L << 20));
  }

  /** Returns this number of allocators. */
  static List<AllocatorInfo> inventory(int instances) {
    List<AllocatorInfo> all = new ArrayList<>();
    for (int i = 1; i <= instances; i++) {
      String service =
          i % 3 == 0 ? AllocatorInfo.BYPASSED : i % 3 == 1 ? AllocatorInfo.OBSERVED : "served";
      all.add(
          new AllocatorInfo(
              "PooledByteBufAllocator-" + i,
              "io.netty.buffer.PooledByteBufAllocator",
              "com.shop.Server.start:" + i,
              service,
              NOON_MILLIS,
              i % 3 == 0 ? "its buffers are its own" : ""));
    }
    return all;
  }

  /**
   * Returns a part of the report. A collected allocator has only counters, an adaptive one only
   * reserved bytes.
   */
  private static NettyAllocatorReport part(int number, boolean isPooled, String memory, long base) {
    boolean isWhole = isPooled && number > 0;
    return new NettyAllocatorReport(
        number,
        isPooled,
        memory,
        isWhole ? 2 : 0,
        isWhole ? 4 << 20 : 0,
        number > 0 ? 8_000_000 + base : 0,
        isWhole ? 3_000_000 + base : 0,
        isWhole ? 1_000_000 : 0,
        isWhole ? 500_000 : 0,
        isWhole ? base + 6 : 0,
        isPooled ? List.of(base + 10, base + 9, base + 8) : List.of(0L, 0L, 0L),
        isPooled ? List.of(base + 7, base + 6, base + 5) : List.of(0L, 0L, 0L),
        isWhole ? List.of(1L, 2L, 3L, 4L, 5L, 6L) : List.of(0L, 0L, 0L, 0L, 0L, 0L),
        isWhole ? List.of(3L, 2L) : List.of(),
        NettyAllocatorReport.UNKNOWN);
  }

  public static PoolReport copy(String pool, LeakReport leaks) {
    return copy(pool, leaks, live());
  }

  public static PoolReport copy(String pool, LeakReport leaks, LiveReport live) {
    return new PoolReport(
        pool,
        "4.1.135.Final",
        "swap",
        "",
        List.of(snapshot("direct", 0, 1L << 30), snapshot("heap", 500, Long.MAX_VALUE)),
        123_456,
        7,
        2,
        leaks,
        live,
        NettyReport.NONE,
        new ModeChange("file", NOON_MILLIS),
        List.of(lifetimes("direct"), lifetimes("heap")));
  }

  private static LifetimeReport lifetimes(String memory) {
    List<Long> samples = new ArrayList<>();
    for (long band = 0; band <= LifetimeReport.ENDS; band++) {
      samples.add(band % 3 * memory.length());
    }
    return new LifetimeReport(memory, samples, 12_500_000_000L);
  }

  /** Returns two sites, and four leaks of other sites. */
  public static LeakReport leaks() {
    return leaks(
        List.of(
            entry("direct", "com.shop.Cart.encode:42", 3, 1_572_864),
            entry("heap", "com.shop.Order.<init>:7", 1, 524_288)),
        List.of(others("direct", 4, 2_097_152)));
  }

  /** Returns leaks whose sites are ranked in the order of the entries. */
  public static LeakReport leaks(List<LeakEntry> entries) {
    return leaks(entries, List.of());
  }

  private static LeakReport leaks(List<LeakEntry> entries, List<LeakEntry> others) {
    Map<List<String>, LeakEntry> sites = new LinkedHashMap<>();
    for (LeakEntry entry : entries) {
      sites.merge(List.of(entry.memory(), entry.site()), entry, LeakEntry::plus);
    }
    List<RankedLeaks> ranked = new ArrayList<>();
    for (LeakEntry site : sites.values()) {
      if (ranked.size() < LeakReport.PLACES) {
        ranked.add(
            new RankedLeaks(site.memory(), site.site(), ranked.size(), site.found(), site.bytes()));
      }
    }
    return new LeakReport("advanced", entries, others, ranked, 11, 5, 6, 7);
  }

  /** Returns leaks of sites that the store did not keep. */
  public static LeakEntry others(String memory, long found, long bytes) {
    return new LeakEntry(
        found,
        found * 2,
        bytes,
        NOON_MILLIS + 2_000,
        NOON_MILLIS + 30_000,
        new LeakRecord(
            memory,
            "pooled",
            4_000,
            4_096,
            "worker-3",
            NOON_MILLIS + 20_000,
            10_000,
            new CallStack("com.shop.Till.open:3", List.of(), 0, 0),
            List.of(),
            0,
            List.of(),
            0));
  }

  public static LeakEntry entry(String memory, String site, long found, long bytes) {
    return new LeakEntry(
        found,
        found * 2048,
        bytes,
        NOON_MILLIS + 1_000,
        NOON_MILLIS + 61_000,
        new LeakRecord(
            memory,
            "pooled",
            2_000,
            2_048,
            HOSTILE_THREAD,
            NOON_MILLIS + 54_900,
            6_100,
            stack(site),
            List.of(
                new LeakAccess(
                    "writeLong", "", "worker-2", 5_200, 12, stack("com.shop.Cart.add:50")),
                new LeakAccess("touch", "half\u0007 done", HOSTILE_THREAD, 20, 0, CallStack.NONE)),
            3,
            List.of(
                new LeakAccess("retain", "", "worker-2", 5_000, 0, stack("com.shop.Cart.add:49"))),
            1));
  }

  /** Returns a stack with one frame of Netty before its site. */
  public static CallStack stack(String site) {
    int colon = site.indexOf(':');
    return new CallStack(
        site,
        List.of(
            "io.netty.buffer.AbstractByteBufAllocator.buffer(AbstractByteBufAllocator.java:116)",
            site.substring(0, colon) + "(Source.java" + site.substring(colon) + ")",
            "com.shop.Server.handle(Unknown Source)"),
        1,
        9);
  }

  /** Returns a profile with two sites, one of them with two stacks and suspected. */
  public static LiveReport live() {
    return live(
        List.of(
            stack("direct", "com.shop.Menu.render:11", 64, 2 << 20),
            stack("direct", "com.shop.Cart.encode:42", 8, 1 << 20),
            stack("direct", "com.shop.Cart.encode:42", 4, 1 << 18),
            new LiveStack("heap", CallStack.NONE, NOON_MILLIS, 0, estimate(2, 1 << 19))),
        List.of(
            new SiteTrend(
                "direct", "com.shop.Cart.encode:42", 700_000, 1_200_000, NOON_MILLIS + 9_000),
            new SiteTrend("direct", "com.shop.Menu.render:11", -30_000, 0, 0)));
  }

  public static LiveReport live(List<LiveStack> stacks, List<SiteTrend> trends) {
    return new LiveReport(NOON_MILLIS + 300_000, 524_288, stacks, trends, 8);
  }

  public static LiveStack stack(String memory, String site, long samples, long bytes) {
    return new LiveStack(
        memory, stack(site), NOON_MILLIS + 57_000, bytes / 4.0, estimate(samples, bytes));
  }

  public static LiveEstimate estimate(long samples, long bytes) {
    double buffers = samples * 16.0;
    double bytesVariance = bytes * (double) bytes / Math.max(1, samples);
    return new LiveEstimate(
        samples,
        buffers,
        buffers,
        bytes,
        bytesVariance,
        List.of(bytes * 0.5, bytes * 0.25, bytes * 0.125, bytes * 0.125));
  }

  /** Returns a value that stays the same when other constants are added before this one. */
  private static long arbitrary(Enum<?> stat) {
    return 1_000L + (stat.name().hashCode() & 0x3ff);
  }

  /** Returns a pool without failures. */
  public static PoolSnapshot calm(String memory, long base, long limitBytes) {
    PoolSnapshot like = snapshot(memory, base, limitBytes);
    long[] values = new long[like.layout().values()];
    for (PoolStat stat : PoolStat.values()) {
      values[like.layout().index(stat)] = stat.name().contains("FAIL") ? 0 : like.get(stat);
    }
    for (int arena = 0; arena < like.arenas(); arena++) {
      for (ArenaStat stat : ArenaStat.values()) {
        values[like.layout().index(stat, arena)] = like.get(stat, arena);
      }
    }
    return new PoolSnapshot(like.layout(), values);
  }

  /** Returns a snapshot with values that count up from {@code base}, and with consistent sums. */
  public static PoolSnapshot snapshot(String memory, long base, long limitBytes) {
    PoolLayout layout =
        new PoolLayout(memory, 8192, 4 << 20, 2, 2, new int[] {16, 4096, 32_768, 1 << 20});
    long[] values = new long[layout.values()];
    for (PoolStat stat : PoolStat.values()) {
      values[layout.index(stat)] = base + arbitrary(stat);
    }
    values[layout.index(PoolStat.RESERVED_BYTES)] = 20_971_520 + base;
    values[layout.index(PoolStat.PINNED_BYTES)] = 3_145_728 + base;
    values[layout.index(PoolStat.CACHED_BYTES)] = 1_048_576;
    values[layout.index(PoolStat.USED_BYTES)] = 25_165_824 + base;
    values[layout.index(PoolStat.LIMIT_BYTES)] = limitBytes;
    values[layout.index(PoolStat.THREAD_CACHE_REQUESTS)] = 100_000 + base;
    values[layout.index(PoolStat.THREAD_CACHE_HITS)] = 98_428;
    boolean isNative = memory.equals("direct");
    values[layout.index(PoolStat.RESIDENT_BYTES)] = isNative ? 12_582_912 + base : PoolStat.UNKNOWN;
    values[layout.index(PoolStat.MEMORY_WAY)] = isNative ? 0 : PoolStat.UNKNOWN;
    values[layout.index(PoolStat.SAMPLE_INTERVAL_BYTES)] = 524_288;
    values[layout.index(PoolStat.LARGEST_SAMPLE_INTERVAL_BYTES)] = 1_048_576;
    values[layout.index(PoolStat.HUGE_RESERVED_BYTES)] = 8_388_608;
    values[layout.index(PoolStat.HUGE_PINNED_BYTES)] = 2_097_152 + base;
    for (int arena = 0; arena < layout.arenas(); arena++) {
      for (ArenaStat stat : ArenaStat.values()) {
        values[layout.index(stat, arena)] = base + arena + arbitrary(stat);
      }
      long chunks = 1L + arena;
      for (UsageBand band : UsageBand.values()) {
        values[layout.index(ArenaStat.chunks(band), arena)] = chunks++;
      }
    }
    for (int sizeClass = 0; sizeClass < layout.sizeClasses(); sizeClass++) {
      values[layout.index(SizeClassStat.ALLOCATIONS, sizeClass)] = base + 10_000 + 10L * sizeClass;
      values[layout.index(SizeClassStat.DEALLOCATIONS, sizeClass)] = base + 9_000 + 10L * sizeClass;
    }
    return new PoolSnapshot(layout, values);
  }
}
