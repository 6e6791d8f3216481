/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import dev.cistern.exporter.report.Diagnosis;
import dev.cistern.exporter.report.PoolReport;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.stats.NettyAllocatorReport;
import dev.cistern.stats.PoolSnapshot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The need of each allocator in the last ten minutes: the memory of its buffers in use.
 *
 * <p>Netty's pooled allocators report it. Adaptive ones do not: their need is the live profile of
 * the copy, which is an estimate from samples. The profile also has peaks between two readings.
 */
final class NeedWatch {
  /** Name of Cistern's pool among the allocators. */
  static final String CISTERN = "cistern";

  /**
   * Maximum time between two peaks. A need that returns later does not justify keeping the memory.
   */
  private static final long MAX_GAP_MILLIS = TimeUnit.HOURS.toMillis(1);

  private static final long WINDOW_SECONDS = TimeUnit.MINUTES.toSeconds(10);

  /** An allocator: need and reserved bytes over time, and its latest figures. */
  static final class Watched {
    final String pool;
    final String memory;
    final String allocator;
    final TimeSeries need = new TimeSeries();
    final TimeSeries reserved = new TimeSeries();
    long reservedBytes;
    long residentBytes;
    private long seenMillis;

    /** Last time at which at least half of the reserved bytes was needed; -1 if never. */
    private long peakMillis = -1;

    /** The need at {@link #peakMillis}. */
    private long peakBytes;

    /** Longest time between two such peaks of about the same size. */
    private long longestGapMillis;

    private long largestNeed;

    /**
     * Last time at which the reserved bytes had grown by more than a quarter; initially the time of
     * the first reading.
     */
    private long raisedMillis = -1;

    /** Lowest reserved bytes since {@link #raisedMillis}. */
    private long lowestReserved;

    private Watched(String pool, String memory, String allocator) {
      this.pool = pool;
      this.memory = memory;
      this.allocator = allocator;
    }

    /** Returns whether this is one of Netty's own allocators. */
    boolean isOfNetty() {
      return !allocator.equals(CISTERN);
    }

    /** Returns the reserved bytes beyond the largest need of the last seconds. */
    long debt(long seconds) {
      return Math.max(0, reservedBytes - need.max(seconds));
    }

    /** Returns the resident part of the debt. */
    long residentDebt(long seconds) {
      return Math.max(0, Math.min(residentBytes, reservedBytes) - need.max(seconds));
    }

    /** Returns the time since the reserved bytes were last needed, or last grew. */
    long idleMillis() {
      return seenMillis - Math.max(peakMillis, raisedMillis);
    }

    /**
     * Returns whether a quarter or more of the reserved bytes was needed since the first report.
     */
    boolean hasPeaked() {
      return largestNeed >= reservedBytes / 4;
    }

    /** Returns the longest time between two peaks, up to an hour; 0 if there was only one. */
    long longestGapMillis() {
      return Math.min(longestGapMillis, MAX_GAP_MILLIS);
    }

    private void add(long millis, long needed) {
      need.add(millis, needed);
      reserved.add(millis, reservedBytes);
      seenMillis = millis;
      largestNeed = Math.max(largestNeed, needed);
      if (raisedMillis < 0 || reservedBytes > lowestReserved + lowestReserved / 4) {
        raisedMillis = millis;
        lowestReserved = reservedBytes;
      }
      lowestReserved = Math.min(lowestReserved, reservedBytes);
      if (needed >= Math.max(1, reservedBytes / 2)) {
        boolean isAgain = peakMillis >= 0 && peakBytes >= reservedBytes / 4;
        longestGapMillis = isAgain ? Math.max(longestGapMillis, millis - peakMillis) : 0;
        peakMillis = millis;
        peakBytes = needed;
      }
    }
  }

  /** The allocators by pool, kind of memory, and allocator. */
  private final Map<String, Watched> allocators = new LinkedHashMap<>();

  /** Adds the figures of a report. */
  void add(long millis, List<PoolReport> copies) {
    for (PoolReport copy : copies) {
      LiveReport live = copy.live();
      boolean isSampled = live.intervalBytes() > 0;
      for (PoolSnapshot pool : copy.pools()) {
        long resident = pool.residentBytes();
        long between = isSampled ? live.detail().peakBytes(pool.memory()) : 0;
        add(
            millis,
            watched(copy.pool(), pool.memory(), CISTERN),
            Math.max(pool.pinnedBytes(), between),
            pool.reservedBytes(),
            resident < 0 ? pool.reservedBytes() : resident);
      }
      addNetty(millis, copy, "direct");
      addNetty(millis, copy, "heap");
    }
    allocators.values().removeIf(each -> each.seenMillis != millis);
  }

  private void addNetty(long millis, PoolReport copy, String memory) {
    List<NettyAllocatorReport> own =
        copy.netty().of(memory).stream().filter(NettyAllocatorReport::isAlive).toList();
    long reserved = own.stream().mapToLong(NettyAllocatorReport::reservedBytes).sum();
    LiveReport live = copy.live();
    boolean isSampled = live.intervalBytes() > 0;
    double peak = Math.max((double) live.detail().peakBytes(memory), live.total(memory).bytes());
    for (NettyAllocatorReport each : own) {
      if (!each.isPooled() && !isSampled) {
        continue; // the need is not known
      }
      double share = reserved == 0 ? 0 : (double) each.reservedBytes() / reserved;
      long need = Math.max(each.pinnedBytes(), Math.round(share * peak));
      add(
          millis,
          watched(copy.pool(), memory, each.name()),
          need,
          each.reservedBytes(),
          each.residentBytes() < 0 ? each.reservedBytes() : each.residentBytes());
    }
  }

  private Watched watched(String pool, String memory, String allocator) {
    return allocators.computeIfAbsent(
        pool + '\n' + memory + '\n' + allocator, key -> new Watched(pool, memory, allocator));
  }

  private static void add(long millis, Watched watched, long need, long reserved, long resident) {
    watched.reservedBytes = reserved;
    watched.residentBytes = resident;
    watched.add(millis, need);
  }

  /** Returns the allocators. */
  Iterable<Watched> allocators() {
    return allocators.values();
  }

  /** Returns the needs for a report. */
  List<Diagnosis.Need> needs() {
    List<Diagnosis.Need> needs = new ArrayList<>();
    for (Watched each : allocators.values()) {
      needs.add(
          new Diagnosis.Need(
              each.pool,
              each.memory,
              each.allocator,
              each.reservedBytes,
              each.debt(WINDOW_SECONDS),
              each.residentDebt(WINDOW_SECONDS),
              each.idleMillis()));
    }
    return needs;
  }
}
