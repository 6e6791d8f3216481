/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import dev.cistern.buffer.BufferDiagnostics;
import dev.cistern.buffer.PooledByteBufAllocator;
import dev.cistern.buffer.PooledByteBufAllocatorMetric;
import dev.cistern.exporter.dump.DiagnosticsDump;
import dev.cistern.exporter.finding.Diagnostician;
import dev.cistern.exporter.report.CopyChunks;
import dev.cistern.exporter.report.HostIdentity;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.ModeChange;
import dev.cistern.exporter.report.PoolReport;
import dev.cistern.exporter.report.StatsSource;
import dev.cistern.leak.LibraryLeaks;
import dev.cistern.leak.report.AllocationReport;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LifetimeReport;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.StackDetail;
import dev.cistern.memory.MemoryWay;
import dev.cistern.pool.AllocatorDiagnostics;
import dev.cistern.stats.ChannelReport;
import dev.cistern.stats.ChunkMap;
import dev.cistern.stats.NettyReport;
import dev.cistern.stats.PoolReader;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.util.Version;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Source of the figures of an application that uses the library directly. Each allocator is a pool
 * with a name. The pool {@code library} has the leaks and live buffers of all of them together. An
 * allocator with its own leak detector, such as the one for Netty, reports its leaks and live
 * buffers under its own name.
 *
 * <pre>{@code
 * AllocatorSource source =
 *     new AllocatorSource("shop").add("buffers", PooledByteBufAllocator.DEFAULT);
 * DiagnosticsDump dump = new DiagnosticsDump(Path.of("/var/lib/shop"), source);
 * source.dumpOnOutOfMemory(dump);
 * ExporterServer.start("127.0.0.1:9471", source, ExporterOptions.DEFAULT.withDump(dump));
 * }</pre>
 */
public final class AllocatorSource implements StatsSource {
  /** The pool name for the leaks and live buffers of the library; no allocator can have it. */
  public static final String LIBRARY_POOL = "library";

  private static final String ARTIFACT = "cistern-buffer-core";

  private final HostIdentity host;
  private final Diagnostician diagnostician = new Diagnostician();

  /** Allocators by name. Guarded by itself. */
  private final Map<String, AllocatorDiagnostics> allocators = new LinkedHashMap<>();

  /**
   * Creates a source without allocators, which reports leaks and live buffers.
   *
   * @param application the application's name; empty if it has none
   */
  public AllocatorSource(String application) {
    Version known = Version.identify(AllocatorSource.class.getClassLoader()).get(ARTIFACT);
    String version = known == null ? "unknown" : known.artifactVersion();
    this.host = HostIdentity.ofThisProcess(application, "", "", version);
  }

  /** Returns the identity of this process in the reports. */
  public HostIdentity host() {
    return host;
  }

  /**
   * Adds an allocator's pools. This source holds the allocator strongly: add those that live as
   * long as the application.
   *
   * @param name the value of the label {@code pool}
   * @param allocator an allocator of the library
   * @return this source
   * @throws IllegalArgumentException if the name is empty, taken, or {@link #LIBRARY_POOL}
   */
  public AllocatorSource add(String name, PooledByteBufAllocator allocator) {
    return add(name, new LibraryPools(allocator));
  }

  /**
   * Adds an allocator that has its own leak detector, such as {@code CisternAllocator} for Netty.
   * This source holds the allocator strongly.
   *
   * @param name the value of the label {@code pool}
   * @param allocator the figures of the allocator
   * @return this source
   * @throws IllegalArgumentException if the name is empty, taken, or {@link #LIBRARY_POOL}, or if
   *     the allocator has another name already
   */
  public AllocatorSource add(String name, AllocatorDiagnostics allocator) {
    synchronized (allocators) {
      if (name.isEmpty() || name.equals(LIBRARY_POOL) || allocators.containsKey(name)) {
        throw new IllegalArgumentException(
            "name: '" + name + "' (expected: not empty, not '" + LIBRARY_POOL + "', not taken)");
      }
      if (allocators.containsValue(allocator)) {
        throw new IllegalArgumentException(
            "cannot add '" + name + "': the allocator has another name already");
      }
      allocators.put(name, allocator);
      return this;
    }
  }

  /**
   * Registers a dump that is written whenever direct memory runs out, up to once a minute.
   *
   * @return a task that removes the registration
   */
  public Runnable dumpOnOutOfMemory(DiagnosticsDump dump) {
    Runnable task = () -> dump.writeSoon("out-of-direct-memory");
    BufferDiagnostics.onOutOfMemory(task);
    return () -> BufferDiagnostics.removeOnOutOfMemory(task);
  }

  @Override
  public HostReport report() {
    return report(StackDetail.FRAMES);
  }

  @Override
  public HostReport sites() {
    return report(StackDetail.SITE);
  }

  private HostReport report(StackDetail detail) {
    List<PoolReport> reports = new ArrayList<>();
    synchronized (allocators) {
      allocators.forEach(
          (name, allocator) ->
              reports.add(
                  report(
                      name,
                      allocator.pools(),
                      allocator.isInJvmAccount(),
                      allocator.leaks(detail),
                      allocator.live(detail),
                      allocator.lifetimes())));
    }
    reports.add(
        report(
            LIBRARY_POOL,
            List.of(),
            false,
            LibraryLeaks.SHARED.leaks(detail),
            LibraryLeaks.SHARED.live(detail),
            LibraryLeaks.SHARED.lifetimes()));
    HostReport report = new HostReport(host, System.currentTimeMillis(), 0, reports);
    try {
      return diagnostician.complete(report);
    } catch (RuntimeException | LinkageError | VirtualMachineError failed) {
      return report; // without a diagnosis
    }
  }

  @Override
  public HostReport measured() {
    HostReport report = report();
    try {
      return diagnostician.measure(report);
    } catch (RuntimeException | LinkageError | VirtualMachineError failed) {
      return report; // with the last measurement
    }
  }

  @Override
  public Map<String, AllocationReport> allocations() {
    Map<String, AllocationReport> reports = new LinkedHashMap<>();
    synchronized (allocators) {
      allocators.forEach(
          (name, allocator) -> reports.put(name, allocator.allocations(StackDetail.FRAMES)));
    }
    reports.put(LIBRARY_POOL, LibraryLeaks.SHARED.allocations(StackDetail.FRAMES));
    return reports;
  }

  @Override
  public List<CopyChunks> chunks() {
    List<CopyChunks> chunks = new ArrayList<>();
    synchronized (allocators) {
      allocators.forEach(
          (name, allocator) ->
              allocator.chunks().forEach(map -> chunks.add(new CopyChunks(name, map))));
    }
    return chunks;
  }

  private static PoolReport report(
      String pool,
      List<PoolSnapshot> pools,
      boolean isInJvmAccount,
      LeakReport leaks,
      LiveReport live,
      List<LifetimeReport> lifetimes) {
    long inJvm = 0;
    for (PoolSnapshot each : pools) {
      if (each.memory().equals("direct")
          && (isInJvmAccount || MemoryWay.HOST.label().equals(each.memoryWay()))) {
        inJvm += each.reservedBytes();
      }
    }
    NettyReport.DirectMemory memory = new NettyReport.DirectMemory(0, inJvm, 0);
    return new PoolReport(
        pool,
        "",
        PoolReport.LIBRARY,
        "",
        pools,
        0,
        0,
        0,
        leaks,
        live,
        new NettyReport(List.of(), 0, List.of(), null, memory, ChannelReport.NONE),
        ModeChange.UNKNOWN,
        lifetimes);
  }

  /** Figures of one of the library's allocators. Its leaks belong to the pool {@code library}. */
  private record LibraryPools(PooledByteBufAllocator allocator) implements AllocatorDiagnostics {
    /** Returns the pools; each arena of a pool can read the whole of it. */
    private Stream<PoolReader> readers() {
      PooledByteBufAllocatorMetric metric = allocator.metric();
      return Stream.of(metric.directArenas(), metric.heapArenas())
          .flatMap(arenas -> arenas.stream().limit(1))
          .map(PoolReader.class::cast);
    }

    @Override
    public List<PoolSnapshot> pools() {
      return readers().map(PoolReader::snapshot).toList();
    }

    @Override
    public List<ChunkMap> chunks() {
      return readers().map(PoolReader::chunkMap).toList();
    }

    @Override
    public LeakReport leaks(StackDetail detail) {
      return LeakReport.EMPTY;
    }

    @Override
    public LiveReport live(StackDetail detail) {
      return LiveReport.EMPTY;
    }

    @Override
    public List<LifetimeReport> lifetimes() {
      return List.of();
    }

    @Override
    public AllocationReport allocations(StackDetail detail) {
      return AllocationReport.EMPTY;
    }
  }
}
