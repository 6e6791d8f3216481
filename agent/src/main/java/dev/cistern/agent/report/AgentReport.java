/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.report;

import dev.cistern.agent.config.AgentConfig;
import dev.cistern.agent.copy.BridgeHandle;
import dev.cistern.agent.copy.NettyCopy;
import dev.cistern.exporter.CopyChunks;
import dev.cistern.exporter.CopyReport;
import dev.cistern.exporter.HostIdentity;
import dev.cistern.exporter.HostReport;
import dev.cistern.exporter.NettyReport;
import dev.cistern.exporter.StatsFileReport;
import dev.cistern.exporter.StatsSource;
import dev.cistern.leak.LeakReport;
import dev.cistern.leak.LiveReport;
import dev.cistern.leak.StackDetail;
import dev.cistern.stats.PoolSnapshot;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The inventory with all figures, read from the bridges when somebody asks. */
final class AgentReport implements StatsSource {
  private static final int SERVED_DIRECT = 0;
  private static final int SERVED_HEAP = 1;
  private static final int FELL_BACK = 2;
  private static final int FAILURES = 3;

  private final HostIdentity host;
  private final List<NettyCopy> copies;

  /** What each bridge told last; it has nothing of the host's classes. */
  private final Map<NettyCopy, Figures> last = Collections.synchronizedMap(new WeakHashMap<>());

  /** Faults of the agent with its copies. */
  private final FailureSum failures = new FailureSum();

  /** Faults of the agent's thread that belong to no copy: added to by that thread. */
  private final AtomicLong threadFailures = new AtomicLong();

  /** What a bridge tells. */
  private record Figures(
      List<PoolSnapshot> pools,
      long served,
      long fellBack,
      long failures,
      LeakReport leaks,
      LiveReport live,
      NettyReport netty) {
    static final Figures NONE =
        new Figures(List.of(), 0, 0, 0, LeakReport.EMPTY, LiveReport.EMPTY, NettyReport.NONE);

    static Figures of(NettyCopy copy, BridgeHandle bridge, StackDetail detail) {
      List<PoolSnapshot> pools = bridge.snapshots();
      long[] counters = bridge.counters();
      return new Figures(
          pools,
          counters[SERVED_DIRECT] + counters[SERVED_HEAP],
          counters[FELL_BACK],
          counters[FAILURES],
          bridge.leaks(detail),
          bridge.live(detail),
          copy.mode().observes() ? bridge.observed() : NettyReport.NONE);
    }
  }

  /** Set once it is written. */
  private volatile @Nullable StatsFile statsFile;

  AgentReport(AgentConfig config, List<NettyCopy> copies) {
    this.host =
        HostIdentity.ofThisProcess(
            config.application(), config.pod(), config.container(), AgentVersion.VALUE);
    this.copies = copies;
  }

  HostIdentity host() {
    return host;
  }

  void show(StatsFile file) {
    statsFile = file;
  }

  void agentFailed() {
    threadFailures.incrementAndGet();
  }

  void writeSoon() {
    StatsFile file = statsFile;
    if (file != null) {
      file.writeSoon();
    }
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
    List<CopyReport> reports = new ArrayList<>();
    for (NettyCopy copy : copies) {
      failures.saw(copy, copy.failures());
      CopyReport report = report(copy, detail);
      if (report != null) {
        reports.add(report);
      }
    }
    StatsFile file = statsFile;
    StatsFileReport written = file == null ? StatsFileReport.NONE : file.state();
    return new HostReport(
        host, System.currentTimeMillis(), failures.sum() + threadFailures.get(), reports, written);
  }

  /** What a bridge that fails to answer would have told is missing; its report says more. */
  @Override
  public List<CopyChunks> chunks() {
    List<CopyChunks> chunks = new ArrayList<>();
    for (NettyCopy copy : copies) {
      BridgeHandle bridge = copy.bridge();
      if (bridge != null && copy.isAwake()) {
        try {
          bridge.chunks().forEach(map -> chunks.add(new CopyChunks(copy.poolName(), map)));
        } catch (RuntimeException | LinkageError failure) {
          copy.failed();
        }
      }
    }
    return chunks;
  }

  /**
   * A copy whose bridge fails to answer is shown with what it told last: its counters would run
   * backwards without it. Null for one whose bridge is gone with its host's classes.
   */
  private @Nullable CopyReport report(NettyCopy copy, StackDetail detail) {
    BridgeHandle bridge = copy.bridge();
    if (bridge == null || !copy.isAwake()) {
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
        + (refusal == null ? "" : "; the others cannot be observed: " + refusal);
  }

  private static CopyReport report(NettyCopy copy, Figures figures) {
    return new CopyReport(
        copy.poolName(),
        copy.version(),
        copy.mode().kind().label(),
        CopyLine.withBypasses(reason(copy), copy),
        figures.pools(),
        figures.served(),
        figures.fellBack(),
        figures.failures(),
        figures.leaks(),
        figures.live(),
        figures.netty().withBypassing(copy.bypasses().size()));
  }
}
