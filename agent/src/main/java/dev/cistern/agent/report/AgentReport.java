/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.report;

import dev.cistern.agent.control.ControlFiles;
import dev.cistern.agent.netty.NettyCopy;
import dev.cistern.bridge.api.BridgeCounters;
import dev.cistern.bridge.api.NettyBridge;
import dev.cistern.exporter.finding.Diagnostician;
import dev.cistern.exporter.report.CopyChunks;
import dev.cistern.exporter.report.History;
import dev.cistern.exporter.report.HostIdentity;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.ModeChange;
import dev.cistern.exporter.report.PoolReport;
import dev.cistern.exporter.report.StatsFileReport;
import dev.cistern.exporter.report.StatsSource;
import dev.cistern.exporter.statsfile.StatsFilePublisher;
import dev.cistern.leak.report.AllocationReport;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LifetimeReport;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.StackDetail;
import dev.cistern.stats.NettyReport;
import dev.cistern.stats.PoolSnapshot;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The report of all copies with their figures, read from the bridges at each request. */
final class AgentReport implements StatsSource {
  private final HostIdentity host;
  private final ControlFiles control;
  private final List<NettyCopy> copies;

  /** The last figures of each bridge; without references to the host's classes. */
  private final Map<NettyCopy, Figures> last = Collections.synchronizedMap(new WeakHashMap<>());

  /** Faults of the agent with its copies. */
  private final FailureSum failures = new FailureSum();

  /** Number of faults of the agent's thread that belong to no copy. Only that thread writes it. */
  private final AtomicLong threadFailures = new AtomicLong();

  /** Figures of a bridge. */
  private record Figures(
      List<PoolSnapshot> pools,
      BridgeCounters counters,
      LeakReport leaks,
      LiveReport live,
      NettyReport netty,
      List<LifetimeReport> lifetimes) {
    static final Figures NONE =
        new Figures(
            List.of(),
            BridgeCounters.NONE,
            LeakReport.EMPTY,
            LiveReport.EMPTY,
            NettyReport.NONE,
            List.of());

    static Figures of(NettyCopy copy, NettyBridge bridge, StackDetail detail) {
      NettyBridge.PoolsReport pools = bridge.report();
      return new Figures(
          pools.pools(),
          pools.counters(),
          bridge.leaks(detail),
          bridge.live(detail),
          copy.allocators(bridge),
          bridge.lifetimes());
    }
  }

  /** The stats file; null until it is opened. */
  private volatile @Nullable StatsFilePublisher statsFile;

  /**
   * The diagnosis; null before the first report, so that the start of the application does not load
   * its classes.
   */
  private volatile @Nullable Diagnostician diagnostician;

  AgentReport(HostIdentity host, List<NettyCopy> copies, ControlFiles control) {
    this.host = host;
    this.copies = copies;
    this.control = control;
  }

  HostIdentity host() {
    return host;
  }

  void show(StatsFilePublisher file) {
    statsFile = file;
  }

  void agentFailed() {
    threadFailures.incrementAndGet();
  }

  /** Ends the stats file. */
  void close() {
    StatsFilePublisher file = statsFile;
    if (file != null) {
      file.close();
    }
  }

  void writeSoon() {
    StatsFilePublisher file = statsFile;
    if (file != null) {
      file.writeSoon();
    }
  }

  @Override
  public HostReport report() {
    return diagnosed(StackDetail.FRAMES, false);
  }

  @Override
  public HostReport measured() {
    return diagnosed(StackDetail.FRAMES, true);
  }

  @Override
  public boolean hasHistory() {
    StatsFilePublisher file = statsFile;
    return file != null && file.hasHistory();
  }

  @Override
  public @Nullable History history() {
    StatsFilePublisher file = statsFile;
    return file == null ? null : file.history();
  }

  @Override
  public HostReport sites() {
    return diagnosed(StackDetail.SITE, false);
  }

  private HostReport report(StackDetail detail) {
    List<PoolReport> reports = new ArrayList<>();
    for (NettyCopy copy : copies) {
      failures.update(copy, copy.failures());
      PoolReport report = report(copy, detail);
      if (report != null) {
        reports.add(report);
      }
    }
    StatsFilePublisher file = statsFile;
    StatsFileReport written = file == null ? StatsFileReport.NONE : file.state();
    return new HostReport(
        host,
        System.currentTimeMillis(),
        failures.sum() + threadFailures.get(),
        control.refusals(),
        reports,
        written);
  }

  /** Returns a report with its diagnosis, or without it if the diagnosis fails. */
  private HostReport diagnosed(StackDetail detail, boolean isMeasured) {
    HostReport report = report(detail);
    try {
      return isMeasured ? diagnostician().measure(report) : diagnostician().complete(report);
    } catch (RuntimeException | LinkageError | VirtualMachineError failure) {
      agentFailed();
      return report;
    }
  }

  private Diagnostician diagnostician() {
    Diagnostician known = diagnostician;
    if (known == null) {
      synchronized (this) {
        known = diagnostician;
        if (known == null) {
          known = new Diagnostician();
          diagnostician = known;
        }
      }
    }
    return known;
  }

  /** Returns the values of all bridges except those that fail; their reports have the failure. */
  @Override
  public Map<String, AllocationReport> allocations() {
    Map<String, AllocationReport> reports = new LinkedHashMap<>();
    for (NettyCopy copy : copies) {
      NettyBridge bridge = copy.bridge();
      if (bridge != null && copy.hasAllocated()) {
        try {
          reports.put(copy.poolName(), bridge.allocations(StackDetail.FRAMES));
        } catch (RuntimeException | LinkageError failure) {
          copy.failed();
        }
      }
    }
    return reports;
  }

  /** Returns the values of all bridges except those that fail; their reports have the failure. */
  @Override
  public List<CopyChunks> chunks() {
    List<CopyChunks> chunks = new ArrayList<>();
    for (NettyCopy copy : copies) {
      NettyBridge bridge = copy.bridge();
      if (bridge != null && copy.hasAllocated()) {
        try {
          bridge.chunkMaps().forEach(map -> chunks.add(new CopyChunks(copy.poolName(), map)));
        } catch (RuntimeException | LinkageError failure) {
          copy.failed();
        }
      }
    }
    return chunks;
  }

  /**
   * Returns the report of a copy. If its bridge fails, the report has its last figures, so that
   * counters do not run backwards. Null if the bridge was collected together with its host's
   * classes.
   */
  private @Nullable PoolReport report(NettyCopy copy, StackDetail detail) {
    NettyBridge bridge = copy.bridge();
    if (bridge == null || !copy.hasAllocated()) {
      return last.containsKey(copy) ? null : report(copy, Figures.NONE);
    }
    try {
      Figures figures = Figures.of(copy, bridge, detail);
      last.put(copy, figures);
      return report(copy, figures);
    } catch (RuntimeException | LinkageError failure) {
      copy.failed();
      return report(copy, last.getOrDefault(copy, Figures.NONE));
    }
  }

  private static String reason(NettyCopy copy) {
    int percent = copy.mode().percent();
    if (percent == 100) {
      return copy.reason();
    }
    String refusal = copy.observationRefusal();
    return percent
        + " % of its allocations"
        + (refusal == null ? "" : "; the other allocations cannot be observed: " + refusal);
  }

  private static PoolReport report(NettyCopy copy, Figures figures) {
    return new PoolReport(
        copy.poolName(),
        copy.version(),
        copy.mode().kind().label(),
        reason(copy),
        figures.pools(),
        figures.counters().served(),
        figures.counters().fallbacks(),
        figures.counters().failures(),
        figures.leaks(),
        figures.live(),
        figures.netty(),
        new ModeChange(copy.modeSource().label(), copy.modeSinceMillis()),
        figures.lifetimes());
  }
}
