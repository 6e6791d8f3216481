/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import dev.cistern.exporter.process.JavaBeans;
import dev.cistern.exporter.process.NativeHeap;
import dev.cistern.exporter.process.ProcessMemory;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.MemoryReport;
import org.jspecify.annotations.Nullable;

/**
 * Facts that rules read: the latest report of a process, and its history.
 *
 * @param report the report
 * @param millis time of the report on a clock that never goes back
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
  /** Growth that has not lasted is of low confidence: it may be a cache that fills. */
  private static final long LASTING_SECONDS = 420;

  /**
   * Figures over time.
   *
   * @param direct direct buffers outside of pools
   * @param mapped mapped byte buffers
   * @param metaspace committed metaspace
   * @param nativeBytes native memory at the last measurement
   * @param residentFiles resident memory of mapped files at the last measurement
   * @param failed failed allocations since the start
   * @param huge mean bytes of the buffers of a Netty allocator that are larger than a chunk
   * @param hugeEvents allocations and releases of such buffers since the start
   */
  record Series(
      TimeSeries direct,
      TimeSeries mapped,
      TimeSeries metaspace,
      TimeSeries nativeBytes,
      TimeSeries residentFiles,
      FailureCount failed,
      TimeSeries huge,
      TimeSeries hugeEvents) {
    Series() {
      this(
          new TimeSeries(),
          new TimeSeries(),
          new TimeSeries(),
          new TimeSeries(),
          new TimeSeries(),
          new FailureCount(),
          new TimeSeries(),
          new TimeSeries());
    }
  }

  /** Returns whether a figure has grown steadily for longer than most caches take to fill. */
  static boolean isLasting(TimeSeries series) {
    return series.isLasting(LASTING_SECONDS);
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
