/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.exporter.Reports;
import dev.cistern.exporter.process.Cgroup;
import dev.cistern.exporter.process.JavaBeans;
import dev.cistern.exporter.process.NativeHeap;
import dev.cistern.exporter.process.ProcessMemory;
import dev.cistern.exporter.report.Diagnosis;
import dev.cistern.exporter.report.Finding;
import dev.cistern.exporter.report.Finding.Confidence;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.MemoryReport;
import dev.cistern.exporter.report.MemoryReport.PartBytes;
import dev.cistern.exporter.report.ModeChange;
import dev.cistern.exporter.report.Part;
import dev.cistern.exporter.report.PoolReport;
import dev.cistern.leak.report.HeldSite;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LiveDetail;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.PinnedSite;
import dev.cistern.stats.AllocatorInfo;
import dev.cistern.stats.ChannelReport;
import dev.cistern.stats.NettyAllocatorReport;
import dev.cistern.stats.NettyReport;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.PoolStat;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;

/** A process whose values are functions of the second. */
final class Simulated {
  static final long MIB = 1L << 20;
  static final long GIB = 1L << 30;
  static final String CART = "com.shop.Cart.encode:42";

  IntToLongFunction reserved = second -> 32 * MIB;
  IntToLongFunction pinned = second -> 20 * MIB;
  IntToLongFunction direct = second -> 10 * MIB;
  IntToLongFunction mapped = second -> 0;
  IntToLongFunction metaspace = second -> 40 * MIB;
  IntToLongFunction heapUsed = second -> 60 * MIB;
  IntToLongFunction nativeBytes = second -> 30 * MIB;
  IntToLongFunction young = second -> 0;
  IntToLongFunction whole = second -> 0;
  IntToLongFunction limitUsed = second -> 40 * MIB;
  IntToLongFunction huge = second -> 0;
  IntToLongFunction hugeAllocations = second -> 1;
  IntToLongFunction freePages = second -> Long.MAX_VALUE; // all pages that are not in use
  IntToLongFunction javaHeap = second -> 0;
  IntToLongFunction residentFiles = second -> 0;
  IntToLongFunction containerUsed = second -> 0;
  IntToLongFunction failedOnHeap = second -> 0;
  IntToLongFunction failed = second -> 0;
  long containerLimit = -1;
  long nettyLimit = GIB;
  long inJvmAccount;
  long heapMax = 256 * MIB;
  long residentBytes = 400 * MIB;
  long dropped;
  int threadCaches;
  boolean countsAllCollections = true;
  boolean isMeasured = true;
  IntToLongFunction heapCommitted = second -> 256 * MIB;
  int threads = 40;
  int allocators = 1;
  int arenas = 2;
  boolean isPooled = true;
  LeakReport leaks = LeakReport.EMPTY;
  LiveReport live = Reports.live(List.of(), List.of());
  NativeHeap.Trim trim;
  long fellBack;
  IntFunction<ChannelReport> channels = second -> ChannelReport.NONE;
  IntFunction<List<HeldSite>> held = second -> List.of();
  IntFunction<List<PinnedSite>> slices = second -> List.of();
  private final Diagnostician diagnostician = new Diagnostician();
  private Diagnosis last = Diagnosis.NONE;
  private int second;

  Simulated run(int seconds) {
    for (int end = second + seconds; second < end; second++) {
      last = read();
    }
    return this;
  }

  private Diagnosis read() {
    long millis = 1_000L * second;
    HostReport report =
        new HostReport(Reports.HOST, Reports.NOON_MILLIS + millis, 0, List.of(copy()));
    long measured = Reports.NOON_MILLIS + 60_000L * (second / 60);
    MemoryReport memory =
        new MemoryReport(
            measured,
            residentBytes,
            "mappings",
            List.of(
                new PartBytes(Part.JAVA_HEAP, javaHeap.applyAsLong(second / 60 * 60)),
                new PartBytes(Part.MAPPED_FILES, residentFiles.applyAsLong(second / 60 * 60)),
                new PartBytes(Part.NATIVE, nativeBytes.applyAsLong(second / 60 * 60)),
                new PartBytes(Part.THREAD_STACKS, (threads * 100L) << 10)));
    JavaBeans.Figures beans =
        new JavaBeans.Figures(
            heapUsed.applyAsLong(second),
            heapCommitted.applyAsLong(second),
            heapMax,
            metaspace.applyAsLong(second),
            direct.applyAsLong(second),
            100,
            mapped.applyAsLong(second),
            threads,
            young.applyAsLong(second),
            whole.applyAsLong(second),
            true,
            countsAllCollections);
    Facts facts =
        diagnostician.add(
            report,
            millis,
            isMeasured ? memory : MemoryReport.NONE,
            beans,
            new Cgroup(containerLimit, containerUsed.applyAsLong(second)),
            new ProcessMemory.Arenas(arenas, nativeBytes.applyAsLong(second / 60 * 60) * 9 / 10),
            trim);
    return diagnostician.conclude(facts);
  }

  private PoolReport copy() {
    List<NettyAllocatorReport> parts = new ArrayList<>();
    List<AllocatorInfo> inventory = new ArrayList<>();
    for (int i = 1; i <= allocators; i++) {
      long bytes = reserved.applyAsLong(second);
      long used = isPooled ? pinned.applyAsLong(second) : 0;
      parts.add(
          new NettyAllocatorReport(
              i,
              isPooled,
              "direct",
              2,
              4 << 20,
              bytes,
              used,
              isPooled ? Math.min(bytes - used, freePages.applyAsLong(second)) : 0,
              huge.applyAsLong(second),
              0,
              List.of(
                  0L, 0L, huge.applyAsLong(second) > 0 ? hugeAllocations.applyAsLong(second) : 0L),
              List.of(
                  0L,
                  0L,
                  huge.applyAsLong(second) > 0 ? hugeAllocations.applyAsLong(second) - 1 : 0L),
              List.of(0L, 0L, 0L, 0L, 0L, 0L),
              List.of((long) threadCaches),
              bytes));
      inventory.add(
          new AllocatorInfo(
              "PooledByteBufAllocator-" + i,
              "io.netty.buffer.PooledByteBufAllocator",
              "com.shop.Server.start:42",
              AllocatorInfo.OBSERVED,
              Reports.NOON_MILLIS,
              ""));
    }
    return new PoolReport(
        "io.netty",
        "4.1.135.Final",
        "observe",
        "",
        pools(),
        0,
        fellBack,
        0,
        leaks,
        liveWithHolders(),
        new NettyReport(
            parts,
            dropped,
            inventory,
            new NettyReport.Limit(nettyLimit, limitUsed.applyAsLong(second)),
            new NettyReport.DirectMemory(0, inJvmAccount, 0),
            channels.apply(second)),
        ModeChange.UNKNOWN,
        List.of());
  }

  private LiveReport liveWithHolders() {
    LiveDetail detail = live.detail();
    return new LiveReport(
        live.timeMillis(),
        live.intervalBytes(),
        live.stacks(),
        live.trends(),
        live.trendsDropped(),
        new LiveDetail(
            detail.largest(),
            detail.holders(),
            held.apply(second),
            slices.apply(second),
            detail.directPeakBytes(),
            detail.heapPeakBytes()));
  }

  /** Returns Cistern's pools of heap and of direct memory, if they have failures. */
  private List<PoolSnapshot> pools() {
    List<PoolSnapshot> pools = new ArrayList<>();
    addPool(pools, "heap", failedOnHeap.applyAsLong(second));
    addPool(pools, "direct", failed.applyAsLong(second));
    return pools;
  }

  private void addPool(List<PoolSnapshot> to, String memory, long failed) {
    if (failed > 0) {
      PoolSnapshot calm = Reports.calm(memory, 0, GIB);
      long[] values = new long[calm.layout().values()];
      for (PoolStat stat : PoolStat.values()) {
        values[calm.layout().index(stat)] = calm.get(stat);
      }
      values[calm.layout().index(PoolStat.FAILED_ALLOCATIONS)] = failed;
      values[calm.layout().index(PoolStat.USED_BYTES)] = limitUsed.applyAsLong(second);
      to.add(new PoolSnapshot(calm.layout(), values));
    }
  }

  Finding first() {
    assertThat(last.findings()).as("findings").isNotEmpty();
    return last.findings().get(0);
  }

  /** Returns the finding of a kind, which must exist. */
  Finding find(Finding.Kind kind) {
    return last.findings().stream()
        .filter(finding -> finding.kind() == kind)
        .findFirst()
        .orElseThrow();
  }

  List<Diagnosis.Limit> limits() {
    return last.limits();
  }

  /** Returns the bytes of a term of the recommended limits. */
  long advice(String term) {
    return last.advice().stream()
        .filter(each -> each.term().equals(term))
        .mapToLong(Diagnosis.AdviceTerm::bytes)
        .findFirst()
        .orElseThrow();
  }

  List<Finding> findings() {
    return last.findings();
  }

  /** Asserts that there is no finding of a kind one second later. */
  void assertNoneOf(Finding.Kind kind) {
    assertThat(run(1).findings()).extracting(Finding::kind).doesNotContain(kind);
  }

  /** Asserts that there are findings at some time, and that all have low confidence. */
  void assertAllLow(int seconds) {
    boolean isFound = false;
    for (int i = 0; i < seconds / 5; i++) {
      int second = 5 * i;
      List<Finding> findings = run(5).findings();
      assertThat(findings)
          .as("second %d", second)
          .allMatch(finding -> finding.confidence() == Confidence.LOW);
      isFound |= !findings.isEmpty();
    }
    assertThat(isFound).isTrue();
  }
}
