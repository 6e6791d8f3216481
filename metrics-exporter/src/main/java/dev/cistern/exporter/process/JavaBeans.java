/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.process;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Figures of the JVM from its platform beans. No MBean server is opened: that would change the
 * application's process.
 */
public final class JavaBeans {
  /** Collectors of young objects that are combined with a collector of all old objects at once. */
  private static final Set<String> IN_ONE_PIECE = Set.of("Copy", "ParNew", "PS Scavenge");

  private final MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final List<GarbageCollectorMXBean> young = new ArrayList<>();
  private final List<GarbageCollectorMXBean> whole = new ArrayList<>();
  private final boolean collectsOldInParts;
  private final boolean countsAllCollections;
  private @Nullable MemoryPoolMXBean metaspace;
  private @Nullable BufferPoolMXBean direct;
  private @Nullable BufferPoolMXBean mapped;

  private JavaBeans() {
    boolean isInOnePiece = false;
    boolean isG1 = false;
    boolean hasConcurrent = false;
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      String name = collector.getName();
      if (name.contains("Pauses")) {
        continue; // parts of a cycle, which has a separate bean
      }
      (isOfYoung(name) ? young : whole).add(collector);
      isInOnePiece |= IN_ONE_PIECE.contains(name);
      isG1 |= name.startsWith("G1");
      hasConcurrent |= name.equals("G1 Concurrent GC");
    }
    collectsOldInParts = !isInOnePiece;
    countsAllCollections = !isG1 || hasConcurrent;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getName().equals("Metaspace")) {
        metaspace = pool;
      }
    }
    for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
      if (pool.getName().equals("direct")) {
        direct = pool;
      } else if (pool.getName().equals("mapped")) {
        mapped = pool;
      }
    }
  }

  /** Returns whether collections of this collector do not collect old objects. */
  private static boolean isOfYoung(String name) {
    return name.contains("Young")
        || name.contains("Minor")
        || name.contains("Scavenge")
        || name.equals("Copy")
        || name.equals("ParNew");
  }

  /** Opens the beans; returns null in a runtime without the module java.management. */
  public static @Nullable JavaBeans open() {
    try {
      return new JavaBeans();
    } catch (LinkageError | RuntimeException missing) {
      return null;
    }
  }

  /**
   * Figures at one moment, in bytes. Figures that the JVM does not have are 0.
   *
   * @param heapUsed used bytes of the Java heap, garbage included
   * @param heapCommitted committed bytes of the Java heap
   * @param heapMax limit of the Java heap
   * @param metaspace committed bytes of the metaspace
   * @param direct bytes of direct buffers that the JVM counts
   * @param directBuffers number of direct buffers that the JVM counts
   * @param mapped bytes of files mapped by byte buffers
   * @param threads live threads
   * @param youngCollections collections of young objects since start
   * @param wholeCollections collections of all objects since start
   * @param collectsOldInParts whether other collections also free old objects, a part at a time
   * @param countsAllCollections whether each event that frees objects is counted; G1 before JDK 20
   *     does not count the end of a concurrent marking
   */
  public record Figures(
      long heapUsed,
      long heapCommitted,
      long heapMax,
      long metaspace,
      long direct,
      long directBuffers,
      long mapped,
      int threads,
      long youngCollections,
      long wholeCollections,
      boolean collectsOldInParts,
      boolean countsAllCollections) {
    /** Figures of a runtime without the beans. */
    public static final Figures NONE = new Figures(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, false, true);
  }

  /** Reads the figures. */
  public Figures read() {
    MemoryUsage heap = memory.getHeapMemoryUsage();
    return new Figures(
        heap.getUsed(),
        heap.getCommitted(),
        Math.max(heap.getMax(), heap.getCommitted()),
        metaspace == null ? 0 : metaspace.getUsage().getCommitted(),
        direct == null ? 0 : direct.getMemoryUsed(),
        direct == null ? 0 : direct.getCount(),
        mapped == null ? 0 : mapped.getMemoryUsed(),
        threads.getThreadCount(),
        sum(young),
        sum(whole),
        collectsOldInParts,
        countsAllCollections);
  }

  private static long sum(List<GarbageCollectorMXBean> collectors) {
    long sum = 0;
    for (GarbageCollectorMXBean collector : collectors) {
      sum += Math.max(0, collector.getCollectionCount());
    }
    return sum;
  }

  /** Returns the processor time of the calling thread in nanoseconds; -1 if it is not known. */
  public long threadCpuNanos() {
    return threads.isCurrentThreadCpuTimeSupported() ? threads.getCurrentThreadCpuTime() : -1;
  }

  /** Returns the value of an option of the JVM; empty if it is not known. */
  public static String option(String name) {
    try {
      HotSpotDiagnosticMXBean bean =
          ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
      return bean == null ? "" : bean.getVMOption(name).getValue();
    } catch (IllegalArgumentException | LinkageError unknown) {
      return ""; // another JVM, or a runtime without jdk.management
    }
  }
}
