/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import dev.cistern.exporter.report.Diagnosis.AdviceTerm;
import dev.cistern.exporter.report.MemoryReport;
import dev.cistern.exporter.report.Part;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Recommends limits from the peaks of the last hour. For direct memory: the peak of memory in use
 * plus a quarter, but no less than the peak of the memory that counts against the limit, which also
 * has free parts of pools. For the container: the limit of the Java heap, the limit of direct
 * memory, and the peak of all other memory plus a tenth.
 */
final class Advisor {
  static final long MIN_WATCHED_MILLIS = TimeUnit.MINUTES.toMillis(10);

  private static final long UNIT = 16L << 20;
  private static final long MIN_DIRECT = 64L << 20;

  private static final Set<Part> DIRECT_PARTS =
      EnumSet.of(
          Part.POOL_PINNED,
          Part.POOL_CACHED,
          Part.POOL_FREE,
          Part.NETTY_POOLS,
          Part.NETTY_UNPOOLED,
          Part.JDK_DIRECT);

  private final TimeSeries direct = new TimeSeries();
  private final TimeSeries other = new TimeSeries();
  private long measuredMillis;

  /** Adds a measurement of memory, unless it was already added. */
  void add(long millis, MemoryReport memory) {
    if (memory.timeMillis() == measuredMillis || memory.parts().isEmpty()) {
      return;
    }
    measuredMillis = memory.timeMillis();
    long buffers = 0;
    for (Part part : DIRECT_PARTS) {
      buffers += memory.bytes(part);
    }
    direct.add(millis, buffers);
    other.add(millis, memory.residentBytes() - memory.bytes(Part.JAVA_HEAP) - buffers);
  }

  /**
   * Returns the terms and the recommended limits; empty during the first ten minutes.
   *
   * @param limits the limits of direct memory, whose peaks add up
   */
  List<AdviceTerm> advice(long watchedMillis, Iterable<LimitWatch.Watched> limits, long heapMax) {
    if (watchedMillis < MIN_WATCHED_MILLIS || other.coveredMillis() == 0) {
      return List.of();
    }
    long highest = 0;
    long needed = MIN_DIRECT;
    long sum = 0;
    for (LimitWatch.Watched each : limits) {
      if (!each.name.equals(LimitWatch.CONTAINER)) {
        long peak = each.used.maxOfHour();
        long need = Math.max(peak + peak / 4, each.counted.maxOfHour());
        highest = Math.max(highest, peak);
        needed = Math.max(needed, need);
        sum += each.isInDirect ? 0 : need; // direct memory has its own term
      }
    }
    long recommended = rounded(needed);
    // Pools that keep memory have more resident memory than is in use.
    long allDirect = Math.max(recommended, rounded(Math.max(sum, direct.maxOfHour())));
    long outside = other.maxOfHour();
    long container = rounded(heapMax + allDirect + outside + outside / 10);
    return List.of(
        new AdviceTerm("direct_peak", highest),
        new AdviceTerm("direct_margin", recommended - highest),
        new AdviceTerm(AdviceTerm.DIRECT, recommended),
        new AdviceTerm("java_heap_limit", heapMax),
        new AdviceTerm("all_direct", allDirect),
        new AdviceTerm("other_peak", outside),
        new AdviceTerm("other_margin", container - heapMax - allDirect - outside),
        new AdviceTerm(AdviceTerm.CONTAINER, container));
  }

  private static long rounded(long bytes) {
    return (bytes + UNIT - 1) / UNIT * UNIT;
  }
}
