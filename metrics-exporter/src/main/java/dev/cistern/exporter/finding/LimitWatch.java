/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import dev.cistern.exporter.process.Cgroup;
import dev.cistern.exporter.process.JavaBeans;
import dev.cistern.exporter.report.CopyReport;
import dev.cistern.exporter.report.Diagnosis;
import dev.cistern.stats.NettyAllocatorReport;
import dev.cistern.stats.NettyReport;
import dev.cistern.stats.PoolSnapshot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The limits of memory, and their use over time. What pools have free is not in use: it serves the
 * next allocation.
 */
final class LimitWatch {
  /** Name of the JVM's limit of direct memory. */
  static final String DIRECT = "direct";

  /** Name of the container's limit. */
  static final String CONTAINER = "container";

  /** Name of the limit that all allocators of the library share. */
  static final String LIBRARY = "library";

  /** A reading may lack a limit, and its history goes on. */
  private static final long FORGET_MILLIS = 60_000;

  private static final String OPTION = "MaxDirectMemorySize";

  /** A limit. */
  static final class Watched {
    final String name;
    final TimeSeries used = new TimeSeries();
    long limitBytes;
    private long seenMillis;

    private Watched(String name) {
      this.name = name;
    }
  }

  private final Map<String, Watched> limits = new LinkedHashMap<>();
  private final long jvmLimit = jvmLimit();

  /** Use of the container without the Java heap. */
  private final TimeSeries beyondHeap = new TimeSeries();

  private long heapMax;

  private static long jvmLimit() {
    long bytes = 0;
    try {
      String option = JavaBeans.option(OPTION);
      bytes = option.isEmpty() ? 0 : Long.parseLong(option);
    } catch (LinkageError | NumberFormatException withoutBeans) {
      // a runtime without java.management
    }
    return bytes > 0 ? bytes : Runtime.getRuntime().maxMemory(); // as HotSpot does
  }

  /** Adds the figures of a report. */
  void add(long millis, List<CopyReport> copies, JavaBeans.Figures beans, Cgroup container) {
    long freeInJvm = 0;
    PoolSnapshot library = null;
    long freeInLibrary = 0;
    for (CopyReport copy : copies) {
      if (isInJvm(copy)) {
        freeInJvm += free(copy);
      }
      if (copy.mode().equals(CopyReport.LIBRARY)) {
        PoolSnapshot own = direct(copy);
        library = own == null ? library : own;
        freeInLibrary += free(copy);
      } else {
        addCopy(millis, copy);
      }
    }
    if (library != null && library.limitBytes() != Long.MAX_VALUE) {
      long used = Math.max(0, library.usedBytes() - freeInLibrary);
      add(millis, LIBRARY, used, library.limitBytes());
    }
    add(millis, DIRECT, Math.max(0, beans.direct() - freeInJvm), jvmLimit);
    if (container.limitBytes() > 0) {
      add(millis, CONTAINER, container.usedBytes(), container.limitBytes());
      heapMax = Math.max(beans.heapMax(), beans.heapCommitted());
    }
    limits.values().removeIf(each -> millis - each.seenMillis > FORGET_MILLIS);
  }

  /**
   * Adds the last measurement of the Java heap. It grows to its own limit and no further, so that
   * the growth of the container is that of all other memory.
   */
  void addHeap(long millis, Cgroup container, long heapBytes) {
    if (container.limitBytes() > 0) {
      beyondHeap.add(millis, Math.max(0, container.usedBytes() - heapBytes));
    }
  }

  private void addCopy(long millis, CopyReport copy) {
    PoolSnapshot own = direct(copy);
    NettyReport.Limit netty = copy.netty().direct();
    long limit = own == null ? (netty == null ? 0 : netty.bytes()) : own.limitBytes();
    if (limit <= 0 || limit == Long.MAX_VALUE) {
      return;
    }
    if (!isInJvm(copy) || limit < jvmLimit) { // the JVM counts the others against the same limit
      long used = own == null && netty != null ? netty.usedBytes() : usedOf(own);
      add(millis, copy.pool(), Math.max(0, used - free(copy)), limit);
    }
  }

  /**
   * Returns whether the JVM counts the memory of a copy. Some buffers of a copy may count there,
   * and others not.
   */
  private static boolean isInJvm(CopyReport copy) {
    NettyReport.DirectMemory memory = copy.netty().directMemory();
    PoolSnapshot own = direct(copy);
    long all = memory.pooledBytes() + memory.unpooledBytes();
    all += own == null ? 0 : own.reservedBytes();
    return memory.inJvmAccountBytes() > 0 && 2 * memory.inJvmAccountBytes() >= all;
  }

  private static long usedOf(@Nullable PoolSnapshot pool) {
    return pool == null ? 0 : pool.usedBytes();
  }

  private static @Nullable PoolSnapshot direct(CopyReport copy) {
    return copy.pools().stream()
        .filter(pool -> pool.memory().equals("direct"))
        .findFirst()
        .orElse(null);
  }

  /** Returns direct memory that the pools of a copy have free. */
  private static long free(CopyReport copy) {
    long free = 0;
    for (PoolSnapshot pool : copy.pools()) {
      free += pool.memory().equals("direct") ? pool.freeBytes() : 0;
    }
    for (NettyAllocatorReport each : copy.netty().of("direct")) {
      free += each.freePageBytes();
    }
    return free;
  }

  private void add(long millis, String name, long used, long limit) {
    Watched watched = limits.computeIfAbsent(name, Watched::new);
    watched.used.add(millis, used);
    watched.limitBytes = limit;
    watched.seenMillis = millis;
  }

  /** Returns the limits. */
  Iterable<Watched> limits() {
    return limits.values();
  }

  /** Returns them for a report, with the time until they are reached. */
  List<Diagnosis.Limit> outlook() {
    List<Diagnosis.Limit> all = new ArrayList<>();
    for (Watched each : limits.values()) {
      if (each.name.equals(CONTAINER)) {
        Diagnosis.Limit ahead = Outlook.of(CONTAINER, beyondHeap, each.limitBytes - heapMax);
        all.add(
            new Diagnosis.Limit(
                CONTAINER,
                each.used.now(),
                each.limitBytes,
                ahead.millis(),
                ahead.earliestMillis(),
                ahead.latestMillis()));
      } else {
        all.add(Outlook.of(each.name, each.used, each.limitBytes));
      }
    }
    return all;
  }
}
