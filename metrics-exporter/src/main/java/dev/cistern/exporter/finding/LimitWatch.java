/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import dev.cistern.exporter.process.Cgroup;
import dev.cistern.exporter.process.JavaBeans;
import dev.cistern.exporter.report.Diagnosis;
import dev.cistern.exporter.report.MemoryReport;
import dev.cistern.exporter.report.Part;
import dev.cistern.exporter.report.PoolReport;
import dev.cistern.stats.NettyAllocatorReport;
import dev.cistern.stats.NettyReport;
import dev.cistern.stats.PoolSnapshot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The limits of memory, and their use over time. Free memory of pools is not in use, because it
 * serves the next allocation.
 */
final class LimitWatch {
  /** Name of the JVM's limit of direct memory. */
  static final String DIRECT = "direct";

  /** Name of the container's limit. */
  static final String CONTAINER = "container";

  /** Name of the limit that all allocators of the library share. */
  static final String LIBRARY = "library";

  /**
   * Time after which a limit without readings is forgotten. A shorter gap does not end its history.
   */
  private static final long FORGET_MILLIS = 60_000;

  private static final String OPTION = "MaxDirectMemorySize";

  /** A limit. */
  static final class Watched {
    final String name;

    /** Memory in use, without free memory of pools. */
    final TimeSeries used = new TimeSeries();

    /** All memory that counts against the limit. */
    final TimeSeries counted = new TimeSeries();

    final FailureCount failed = new FailureCount();
    long limitBytes;

    /** Whether the limit {@link #DIRECT} counts this memory, too. */
    boolean isInDirect;

    private long seenMillis;

    private Watched(String name) {
      this.name = name;
    }

    /** Returns the use at which the limit is near: nine tenths of it. */
    long nearBytes() {
      return limitBytes / 10 * 9;
    }

    /** Returns whether bytes are at least half of the use. */
    boolean isMost(long bytes) {
      return 2 * bytes >= used.now();
    }
  }

  private final Map<String, Watched> limits = new LinkedHashMap<>();
  private final long jvmLimit = jvmLimit();

  /** Resident Java heap, of each measurement; or the committed heap. */
  private final TimeSeries heap = new TimeSeries();

  private long heapMillis = -1;
  private long heapMax;

  private static long jvmLimit() {
    long bytes = 0;
    try {
      String option = JavaBeans.option(OPTION);
      bytes = option.isEmpty() ? 0 : Long.parseLong(option);
    } catch (LinkageError | NumberFormatException withoutBeans) {
      // a runtime without java.management
    }
    return bytes > 0 ? bytes : Runtime.getRuntime().maxMemory(); // same as in HotSpot
  }

  /** Adds the figures of a report. */
  void add(long millis, List<PoolReport> copies, JavaBeans.Figures beans, Cgroup container) {
    long freeInJvm = 0;
    long failedInJvm = 0;
    PoolSnapshot library = null;
    boolean isLibraryInJvm = false;
    long freeInLibrary = 0;
    long failedInLibrary = 0;
    for (PoolReport copy : copies) {
      if (isInJvm(copy)) {
        freeInJvm += free(copy);
        failedInJvm += failed(copy);
      }
      if (copy.mode().equals(PoolReport.LIBRARY)) {
        PoolSnapshot own = direct(copy);
        library = own == null ? library : own;
        isLibraryInJvm |= isInJvm(copy);
        freeInLibrary += free(copy);
        failedInLibrary += failed(copy);
      } else {
        addCopy(millis, copy);
      }
    }
    if (library != null && library.limitBytes() != Long.MAX_VALUE) {
      add(
          millis,
          LIBRARY,
          library.usedBytes(),
          freeInLibrary,
          failedInLibrary,
          library.limitBytes(),
          isLibraryInJvm);
    }
    add(millis, DIRECT, beans.direct(), freeInJvm, failedInJvm, jvmLimit, false);
    if (container.limitBytes() > 0) {
      add(millis, CONTAINER, container.usedBytes(), 0, 0, container.limitBytes(), false);
      heapMax = Math.max(beans.heapMax(), beans.heapCommitted());
    }
    limits.values().removeIf(each -> millis - each.seenMillis > FORGET_MILLIS);
  }

  /**
   * Adds a measurement of the resident Java heap, unless it was already added; the committed heap
   * if there is no measurement.
   */
  void addHeap(long millis, MemoryReport measured, JavaBeans.Figures beans) {
    if (measured.parts().isEmpty()) {
      heap.add(millis, beans.heapCommitted());
    } else if (measured.timeMillis() != heapMillis) {
      heapMillis = measured.timeMillis();
      heap.add(millis, measured.bytes(Part.JAVA_HEAP));
    }
  }

  private void addCopy(long millis, PoolReport copy) {
    PoolSnapshot own = direct(copy);
    NettyReport.Limit netty = copy.netty().direct();
    long limit = own == null ? (netty == null ? 0 : netty.bytes()) : own.limitBytes();
    if (limit <= 0 || limit == Long.MAX_VALUE) {
      return;
    }
    if (!isInJvm(copy) || limit < jvmLimit) { // otherwise the JVM's limit applies
      long counted = own == null && netty != null ? netty.usedBytes() : usedOf(own);
      add(millis, copy.pool(), counted, free(copy), failed(copy), limit, isInJvm(copy));
    }
  }

  /**
   * Returns whether the JVM counts most of the memory of a copy. It may count only some of the
   * copy's buffers.
   */
  private static boolean isInJvm(PoolReport copy) {
    NettyReport.DirectMemory memory = copy.netty().directMemory();
    PoolSnapshot own = direct(copy);
    long all = memory.pooledBytes() + memory.unpooledBytes();
    all += own == null ? 0 : own.reservedBytes();
    return memory.inJvmAccountBytes() > 0 && 2 * memory.inJvmAccountBytes() >= all;
  }

  private static long usedOf(@Nullable PoolSnapshot pool) {
    return pool == null ? 0 : pool.usedBytes();
  }

  private static @Nullable PoolSnapshot direct(PoolReport copy) {
    return copy.pools().stream()
        .filter(pool -> pool.memory().equals("direct"))
        .findFirst()
        .orElse(null);
  }

  /** Returns the free direct memory of the pools of a copy. */
  private static long free(PoolReport copy) {
    PoolSnapshot own = direct(copy);
    long free = own == null ? 0 : own.freeBytes();
    for (NettyAllocatorReport each : copy.netty().of("direct")) {
      free += each.freePageBytes();
    }
    return free;
  }

  /** Returns the number of direct allocations that the pools of a copy have refused. */
  private static long failed(PoolReport copy) {
    PoolSnapshot own = direct(copy);
    return own == null ? 0 : own.failedAllocations();
  }

  private void add(
      long millis,
      String name,
      long counted,
      long free,
      long failed,
      long limit,
      boolean isInDirect) {
    Watched watched = limits.computeIfAbsent(name, Watched::new);
    watched.used.add(millis, Math.max(0, counted - free));
    watched.counted.add(millis, counted);
    watched.failed.add(millis, failed);
    watched.limitBytes = limit;
    watched.isInDirect = isInDirect;
    watched.seenMillis = millis;
  }

  /**
   * Returns whether the direct memory of the JVM is near its limit, and buffers outside of pools
   * are at least half of the use.
   *
   * @param outside bytes of these buffers
   */
  boolean isNearByBuffers(long outside) {
    Watched direct = limits.get(DIRECT);
    return direct != null && direct.used.now() >= direct.nearBytes() && direct.isMost(outside);
  }

  /** Returns the limits. */
  Iterable<Watched> limits() {
    return limits.values();
  }

  /** Returns the limits for a report, with the time until they are reached. */
  List<Diagnosis.Limit> outlook() {
    List<Diagnosis.Limit> all = new ArrayList<>();
    for (Watched each : limits.values()) {
      boolean hasHeap = each.name.equals(CONTAINER);
      Outlook.Bounded bounded = hasHeap ? Outlook.Bounded.of(heap, heapMax) : Outlook.Bounded.NONE;
      all.add(Outlook.of(each.name, each.used, each.limitBytes, bounded));
    }
    return all;
  }
}
