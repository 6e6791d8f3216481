/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import dev.cistern.exporter.process.Cgroup;
import dev.cistern.exporter.process.JavaBeans;
import dev.cistern.exporter.process.NativeHeap;
import dev.cistern.exporter.process.ProcessMemory;
import dev.cistern.exporter.report.Diagnosis;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.MemoryReport;
import dev.cistern.exporter.report.Part;
import dev.cistern.exporter.report.PoolReport;
import dev.cistern.exporter.schema.Figure;
import dev.cistern.leak.report.LargestAllocation;
import dev.cistern.stats.NettyAllocatorReport;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.SizeGroup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Adds measurements of memory and conclusions to the reports of this process. It keeps a summary of
 * earlier reports: about 100 KiB, and 6 KiB for each allocator.
 *
 * <p>A report is also a reading, unless the last reading is less than a second old. The thread that
 * writes the stats file or records the history reports once a second. Conclusions are drawn every
 * five seconds. Thread-safe.
 */
public final class Diagnostician {
  /**
   * Minimum distance of readings. It is less than a second, because readings that are due each
   * second may come early.
   */
  private static final long MIN_STEP_MILLIS = 900;

  /**
   * Interval of readings of the container. A cgroup has several files, which the kernel sums up for
   * each reading.
   */
  private static final long CONTAINER_STEP_MILLIS = 5_000;

  /** Interval of conclusions, which cost more than readings. */
  private static final long CONCLUSION_STEP_MILLIS = 4_900;

  private static final int MAX_LARGEST = 5;

  private final LongSupplier nanoTime;
  private final long startNanos;

  // Guarded by this, as all fields below.
  private @Nullable JavaBeans beans;
  private @Nullable ProcessMemory memory;
  private final NeedWatch needs = new NeedWatch();
  private @Nullable LimitWatch limits;
  private final CollectionWatch collections = new CollectionWatch();
  private final Advisor advisor = new Advisor();
  private final Facts.Series series = new Facts.Series();
  private Cgroup container = Cgroup.NONE;
  private long containerMillis = -CONTAINER_STEP_MILLIS;
  private long lastMillis = -MIN_STEP_MILLIS;
  private long concludedMillis = -CONCLUSION_STEP_MILLIS;

  private final Lowest direct = new Lowest(3);
  private final Lowest huge = new Lowest(2);
  private final FirstTimes first = new FirstTimes();
  private Diagnosis last = Diagnosis.NONE;

  /** Creates a diagnostician for this process; nothing is read or loaded yet. */
  public Diagnostician() {
    this(System::nanoTime);
  }

  Diagnostician(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.startNanos = nanoTime.getAsLong();
  }

  /** Returns a report with the memory of the process and the conclusions until now. */
  public synchronized HostReport complete(HostReport report) {
    ProcessMemory measured = memory();
    long millis = TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - startNanos);
    if (millis - lastMillis >= MIN_STEP_MILLIS) {
      lastMillis = millis;
      last = read(report, millis, measured);
    }
    return report.with(measured.last(), last);
  }

  /**
   * Returns a report with a measurement of the process memory at this moment, and the last
   * conclusions.
   */
  public HostReport measure(HostReport report) {
    HostReport complete = complete(report); // then no lock: a measurement may take long
    return complete.with(memory().measureNow(report.copies()), complete.diagnosis());
  }

  private synchronized ProcessMemory memory() {
    ProcessMemory known = memory;
    if (known == null) {
      beans = openBeans();
      known = new ProcessMemory(beans);
      limits = new LimitWatch();
      memory = known;
    }
    return known;
  }

  private static @Nullable JavaBeans openBeans() {
    try {
      return JavaBeans.open();
    } catch (LinkageError withoutBeans) { // a runtime without java.management
      return null;
    }
  }

  private Diagnosis read(HostReport report, long millis, ProcessMemory known) {
    // Read before the measurement, which may take long: the figures of the pools are of this
    // moment.
    JavaBeans.Figures figures = beans == null ? JavaBeans.Figures.NONE : beans.read();
    if (millis - containerMillis >= CONTAINER_STEP_MILLIS) {
      containerMillis = millis;
      container = Cgroup.read();
    }
    MemoryReport measured = known.measureIfDue(report.copies());
    Facts facts =
        add(report, millis, measured, figures, container, known.arenas(), NativeHeap.last());
    if (millis - concludedMillis < CONCLUSION_STEP_MILLIS) {
      return last;
    }
    concludedMillis = millis;
    return conclude(facts);
  }

  /** Adds readings. */
  synchronized Facts add(
      HostReport report,
      long millis,
      MemoryReport measured,
      JavaBeans.Figures figures,
      Cgroup group,
      ProcessMemory.Arenas arenas,
      NativeHeap.@Nullable Trim trim) {
    LimitWatch watched = limits == null ? new LimitWatch() : limits;
    limits = watched;
    long inPools = 0;
    long pending = 0;
    for (PoolReport copy : report.copies()) {
      inPools += copy.netty().directMemory().inJvmAccountBytes();
      pending += copy.netty().channels().pendingBytes();
    }
    series.pending.add(millis, pending);
    long direct = this.direct.of(Math.max(0, figures.direct() - inPools));
    series.direct.add(millis, direct);
    series.mapped.add(millis, figures.mapped());
    series.metaspace.add(millis, figures.metaspace());
    series.failed.add(millis, failedAllocations(report.copies()));
    series.huge.add(millis, huge.of(meanHuge(report.copies())));
    series.hugeEvents.add(millis, hugeEvents(report.copies()));
    if (!measured.parts().isEmpty()) {
      series.nativeBytes.add(millis, measured.bytes(Part.NATIVE));
      series.residentFiles.add(millis, measured.bytes(Part.MAPPED_FILES));
    }
    watched.addHeap(millis, measured, figures);
    collections.add(millis, figures, direct);
    needs.add(millis, report.copies());
    watched.add(millis, report.copies(), figures, group);
    advisor.add(millis, measured);
    return new Facts(
        report,
        millis,
        millis,
        measured,
        figures,
        needs,
        watched,
        collections,
        series,
        arenas,
        trim);
  }

  /** Draws the conclusions from the readings until now. */
  synchronized Diagnosis conclude(Facts facts) {
    long millis = facts.millis();
    Rules.Result result = Rules.apply(facts);
    return new Diagnosis(
        millis,
        first.keep(result.findings()),
        result.failed(),
        facts.limits().outlook(),
        advisor.advice(millis, facts.limits().limits(), facts.beans().heapMax()),
        needs.needs(),
        largest(facts.report().copies()),
        collectable(millis, series.direct.now()));
  }

  private static long failedAllocations(List<PoolReport> copies) {
    return copies.stream()
        .flatMap(copy -> copy.pools().stream())
        .mapToLong(PoolSnapshot::failedAllocations)
        .sum();
  }

  /**
   * Returns the mean size of buffers larger than a chunk, of the Netty allocator with the largest
   * mean. No sample shows the size of a buffer that grows, because growing is not a new allocation.
   */
  private static long meanHuge(List<PoolReport> copies) {
    long largest = 0;
    for (PoolReport copy : copies) {
      for (NettyAllocatorReport each : copy.netty().allocators()) {
        int group = SizeGroup.HUGE.ordinal();
        long active = each.allocations().get(group) - each.deallocations().get(group);
        largest = Math.max(largest, active > 0 ? each.hugeBytes() / active : 0);
      }
    }
    return largest;
  }

  /** Returns the number of allocations and releases of such buffers since the start. */
  private static long hugeEvents(List<PoolReport> copies) {
    long events = 0;
    for (PoolReport copy : copies) {
      for (NettyAllocatorReport each : copy.netty().allocators()) {
        int group = SizeGroup.HUGE.ordinal();
        events += each.allocations().get(group) + each.deallocations().get(group);
      }
    }
    return events;
  }

  private Diagnosis.Collectable collectable(long millis, long direct) {
    long age = collections.millisSinceLast(millis);
    return new Diagnosis.Collectable(
        direct,
        age < 0 ? Figure.ABSENT : collections.lastFreedBytes(),
        age < 0 ? Figure.ABSENT : age);
  }

  /**
   * The lowest of the last readings. The parts of a reading are read one after the other. Memory
   * that a pool allocates in between therefore seems to be larger, or to be outside of pools.
   */
  private static final class Lowest {
    private final long[] last;
    private long readings;

    Lowest(int length) {
      last = new long[length];
    }

    /** Returns the lowest of the last readings, including this one. */
    long of(long reading) {
      last[(int) (readings++ % last.length)] = reading;
      long lowest = reading;
      for (int i = 0; i < Math.min(readings, last.length); i++) {
        lowest = Math.min(lowest, last[i]);
      }
      return lowest;
    }
  }

  private static List<Diagnosis.Largest> largest(List<PoolReport> copies) {
    List<Diagnosis.Largest> all = new ArrayList<>();
    addLargest(all, copies, true);
    addLargest(all, copies, false);
    return all;
  }

  private static void addLargest(
      List<Diagnosis.Largest> to, List<PoolReport> copies, boolean isOfHour) {
    record Found(String pool, LargestAllocation largest) {}

    List<Found> found = new ArrayList<>();
    for (PoolReport copy : copies) {
      for (LargestAllocation each : copy.live().detail().largest()) {
        if (each.isOfLastHour() == isOfHour) {
          found.add(new Found(copy.pool(), each));
        }
      }
    }
    found.sort(Comparator.comparingLong((Found each) -> each.largest.bytes()).reversed());
    for (int i = 0; i < Math.min(MAX_LARGEST, found.size()); i++) {
      LargestAllocation each = found.get(i).largest;
      to.add(
          new Diagnosis.Largest(
              i + 1,
              isOfHour ? "hour" : "start",
              found.get(i).pool,
              each.memory(),
              each.site(),
              each.bytes(),
              each.timeMillis()));
    }
  }
}
