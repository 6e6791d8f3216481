/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import dev.cistern.leak.LeakEntry;
import dev.cistern.leak.LeakReport;
import dev.cistern.stats.ArenaFigure;
import dev.cistern.stats.Band;
import dev.cistern.stats.ClassFigure;
import dev.cistern.stats.PoolFigure;
import dev.cistern.stats.PoolShape;
import dev.cistern.stats.PoolSnapshot;
import java.util.List;

/** Reports whose every figure is fixed and different. */
final class Reports {
  /** 2026-11-20T12:00:00Z. */
  static final long NOON_MILLIS = 1_795_176_000_000L;

  private Reports() {}

  /** A host with one copy of Netty, two kinds of memory and two leaks. */
  static HostReport host() {
    return host(copy("io.netty", leaks("io.netty")));
  }

  static HostReport host(CopyReport... copies) {
    return new HostReport("shop", "0.1.0", NOON_MILLIS, 1, List.of(copies));
  }

  static CopyReport copy(String pool, LeakReport leaks) {
    return new CopyReport(
        pool,
        "4.1.135.Final",
        "swap",
        "",
        List.of(snapshot("direct", 0, 1L << 30), snapshot("heap", 500, Long.MAX_VALUE)),
        123_456,
        7,
        2,
        leaks);
  }

  static LeakReport leaks(String pool) {
    return new LeakReport(
        List.of(
            entry(pool, "direct", "com.shop.Cart.encode:42", 3, 1_572_864),
            entry(pool, "heap", "com.shop.Order.<init>:7", 1, 524_288)),
        4,
        2_097_152,
        11,
        5);
  }

  static LeakEntry entry(String pool, String memory, String site, long sampled, long bytes) {
    return new LeakEntry(
        pool,
        memory,
        site,
        List.of(
            "io.netty.buffer.AbstractByteBufAllocator.buffer(AbstractByteBufAllocator.java:116)",
            site.substring(0, site.indexOf(':')) + "(Source.java)"),
        9,
        "worker <1>\u001b[31m",
        sampled,
        sampled * 2048,
        bytes,
        NOON_MILLIS + 1_000,
        NOON_MILLIS + 61_000);
  }

  /** A figure that stays the same when others come to stand before it. */
  private static long arbitrary(Enum<?> figure) {
    return 1_000L + (figure.name().hashCode() & 0x3ff);
  }

  /** A snapshot whose figures count up from {@code base}, with the sums that they must have. */
  static PoolSnapshot snapshot(String memory, long base, long limitBytes) {
    PoolShape shape =
        new PoolShape(memory, 8192, 4 << 20, 2, 2, new int[] {16, 4096, 32_768, 1 << 20});
    long[] values = new long[shape.values()];
    for (PoolFigure figure : PoolFigure.values()) {
      values[shape.index(figure)] = base + arbitrary(figure);
    }
    values[shape.index(PoolFigure.RESERVED_BYTES)] = 20_971_520 + base;
    values[shape.index(PoolFigure.PINNED_BYTES)] = 3_145_728 + base;
    values[shape.index(PoolFigure.CACHED_BYTES)] = 1_048_576;
    values[shape.index(PoolFigure.USED_BYTES)] = 25_165_824 + base;
    values[shape.index(PoolFigure.LIMIT_BYTES)] = limitBytes;
    values[shape.index(PoolFigure.THREAD_CACHE_REQUESTS)] = 100_000 + base;
    values[shape.index(PoolFigure.THREAD_CACHE_HITS)] = 98_428;
    values[shape.index(PoolFigure.HUGE_RESERVED_BYTES)] = 8_388_608;
    values[shape.index(PoolFigure.HUGE_PINNED_BYTES)] = 2_097_152 + base;
    for (int arena = 0; arena < shape.arenas(); arena++) {
      for (ArenaFigure figure : ArenaFigure.values()) {
        values[shape.index(figure, arena)] = base + arena + arbitrary(figure);
      }
      long chunks = 1L + arena;
      for (Band band : Band.values()) {
        values[shape.index(ArenaFigure.chunks(band), arena)] = chunks++;
      }
    }
    for (int sizeClass = 0; sizeClass < shape.sizeClasses(); sizeClass++) {
      values[shape.index(ClassFigure.ALLOCATIONS, sizeClass)] = base + 10_000 + 10L * sizeClass;
      values[shape.index(ClassFigure.DEALLOCATIONS, sizeClass)] = base + 9_000 + 10L * sizeClass;
    }
    return new PoolSnapshot(shape, values);
  }
}
