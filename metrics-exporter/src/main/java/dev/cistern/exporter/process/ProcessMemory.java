/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.process;

import dev.cistern.exporter.report.MemoryReport;
import dev.cistern.exporter.report.MemoryReport.PartBytes;
import dev.cistern.exporter.report.PoolReport;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Measures the resident memory of this process: cheaply about once a minute, and completely on
 * request.
 *
 * <p>The cheap measurement reads the list of mappings and samples the page map of large ones. It
 * takes up to a thousandth of a processor, because a slow measurement is followed by a longer
 * pause. Thread-safe.
 */
public final class ProcessMemory {
  /** Basis if native memory tracking is on. */
  public static final String TRACKED = "native memory tracking";

  /** Basis otherwise. */
  public static final String MAPPED = "mappings";

  /** The pause after a measurement, as a multiple of its processor time. */
  private static final int PAUSE_FACTOR = 1_000;

  private static final long MIN_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long MAX_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(10);
  private static final long MIN_WHOLE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final File MAPS = new File("/proc/self/maps");
  private static final File PAGEMAP = new File("/proc/self/pagemap");

  private final @Nullable JavaBeans beans;

  /** Held by the thread that measures. No reader of the last measurement waits for it. */
  private final ReentrantLock measuring = new ReentrantLock();

  // Written under the lock, read without it.
  private volatile MemoryReport last = MemoryReport.NONE;
  private volatile long nextNanos = System.nanoTime();

  private boolean isMeasuredWhole;
  private long wholeNanos;

  /** Measurement of the mappings in {@link #last}. */
  private volatile @Nullable AddressSpace lastSpace;

  /** Creates the measurement; nothing is measured yet. */
  public ProcessMemory(@Nullable JavaBeans beans) {
    this.beans = beans;
  }

  /** Returns the last measurement. */
  public MemoryReport last() {
    return last;
  }

  /**
   * Arenas of malloc at the last measurement.
   *
   * @param count number of arenas
   * @param bytes resident bytes of the arenas
   */
  public record Arenas(int count, long bytes) {}

  /** Returns the arenas of malloc at the last measurement. */
  public Arenas arenas() {
    AddressSpace space = lastSpace;
    return space == null ? new Arenas(0, 0) : new Arenas(space.arenas(), space.arenaBytes());
  }

  /**
   * Returns the last measurement. Measures first if a measurement is due and no other thread
   * measures.
   */
  public MemoryReport measureIfDue(List<PoolReport> copies) {
    long start = System.nanoTime();
    if (start - nextNanos < 0 || !measuring.tryLock()) {
      return last;
    }
    nextNanos = start + MIN_PAUSE_NANOS; // also if it fails
    try {
      long startCpu = cpuNanos();
      isMeasuredWhole = false;
      measure(copies, true, NativeTracking.isOn() && DiagnosticCommands.isServerOpen());
      long cpu = startCpu < 0 ? System.nanoTime() - start : cpuNanos() - startCpu;
      nextNanos = start + Math.min(MAX_PAUSE_NANOS, Math.max(MIN_PAUSE_NANOS, PAUSE_FACTOR * cpu));
      return last;
    } finally {
      measuring.unlock();
    }
  }

  /**
   * Measures every page now, unless the last complete measurement is less than two seconds old.
   * With native memory tracking, this opens the MBean server.
   */
  public MemoryReport measureNow(List<PoolReport> copies) {
    measuring.lock();
    try {
      long now = System.nanoTime();
      if (!isMeasuredWhole || now - wholeNanos > MIN_WHOLE_NANOS) {
        measure(copies, false, NativeTracking.isOn());
        wholeNanos = System.nanoTime();
        isMeasuredWhole = true;
      }
      return last;
    } finally {
      measuring.unlock();
    }
  }

  private long cpuNanos() {
    return beans == null ? -1 : beans.threadCpuNanos();
  }

  private void measure(List<PoolReport> copies, boolean isSampled, boolean readsTracking) {
    NativeTracking tracking = readsTracking ? NativeTracking.read() : null; // may take long
    JavaBeans.Figures figures = beans == null ? JavaBeans.Figures.NONE : beans.read();
    long resident = ResidentSize.read();
    if (resident < 0) {
      return;
    }
    List<PartBytes> parts = List.of();
    try (ResidentPages pages = ResidentPages.open(PAGEMAP, isSampled)) {
      AddressSpace space = AddressSpace.of(AddressSpace.mappings(MAPS), pages, HeapSize.read());
      resident = (resident + ResidentSize.read()) / 2; // the heap may change while pages are read
      parts = Waterfall.of(resident, space, figures, Waterfall.Buffers.of(copies), tracking);
      lastSpace = space;
    } catch (IOException | RuntimeException hidden) {
      // A sandbox may hide the page map: the resident memory is known, its parts are not.
    }
    last =
        new MemoryReport(
            System.currentTimeMillis(), resident, tracking == null ? MAPPED : TRACKED, parts);
  }
}
