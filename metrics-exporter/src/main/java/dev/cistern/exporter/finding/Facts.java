/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import dev.cistern.exporter.process.JavaBeans;
import dev.cistern.exporter.process.NativeHeap;
import dev.cistern.exporter.process.ProcessMemory;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.MemoryReport;
import dev.cistern.exporter.report.PoolReport;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Facts that rules read: the latest report of a process, and its history.
 *
 * @param report the report
 * @param millis time of the report on a monotonic clock
 * @param watchedMillis time since the first report
 * @param memory the latest measurement of the resident memory
 * @param beans figures of the JVM
 * @param needs allocators with their need
 * @param limits limits with their use
 * @param collections effects of garbage collections
 * @param series other figures over time
 * @param arenas arenas of malloc at the latest measurement
 * @param trim the last trim of the native heap; null if there was none
 */
record Facts(
    HostReport report,
    long millis,
    long watchedMillis,
    MemoryReport memory,
    JavaBeans.Figures beans,
    NeedWatch needs,
    LimitWatch limits,
    CollectionWatch collections,
    Series series,
    ProcessMemory.Arenas arenas,
    NativeHeap.@Nullable Trim trim) {
  /**
   * Duration after which growth is lasting. Shorter growth is of low confidence, because it may be
   * a cache that fills.
   */
  private static final long LASTING_SECONDS = 420;

  /** Figures over time. */
  static final class Series {
    /** Direct buffers outside of pools. */
    final TimeSeries direct = new TimeSeries();

    /** Mapped byte buffers. */
    final TimeSeries mapped = new TimeSeries();

    /** Committed metaspace. */
    final TimeSeries metaspace = new TimeSeries();

    /** Native memory at the last measurement. */
    final TimeSeries nativeBytes = new TimeSeries();

    /** Resident memory of mapped files at the last measurement. */
    final TimeSeries residentFiles = new TimeSeries();

    /** Failed allocations since the start. */
    final FailureCount failed = new FailureCount();

    /** Bytes in the outbound queues of channels. */
    final TimeSeries pending = new TimeSeries();

    /** Mean bytes of the buffers of a Netty allocator that are larger than a chunk. */
    final TimeSeries huge = new TimeSeries();

    /** Allocations and releases of such buffers since the start. */
    final TimeSeries hugeEvents = new TimeSeries();
  }

  /** Returns whether a figure has grown steadily for longer than most caches take to fill. */
  static boolean isLasting(TimeSeries series) {
    return series.isLasting(LASTING_SECONDS);
  }

  /** Returns the entries of one kind of all copies. */
  <T> List<T> all(Function<PoolReport, List<T>> entries) {
    return report.copies().stream().flatMap(copy -> entries.apply(copy).stream()).toList();
  }

  /** Returns the time of an event some milliseconds ago, in milliseconds since the epoch. */
  long timeBefore(long ago) {
    return report.timeMillis() - ago;
  }

  /** Returns whether bytes are at least a part of the resident memory, if that is known. */
  boolean isPartOfResident(long bytes, double part) {
    return memory.residentBytes() <= 0 || bytes >= part * memory.residentBytes();
  }
}
