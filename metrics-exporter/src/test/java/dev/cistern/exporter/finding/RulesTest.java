/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.exporter.Reports;
import dev.cistern.exporter.process.Cgroup;
import dev.cistern.exporter.process.JavaBeans;
import dev.cistern.exporter.process.NativeHeap;
import dev.cistern.exporter.process.ProcessMemory;
import dev.cistern.exporter.report.CopyReport;
import dev.cistern.exporter.report.Diagnosis;
import dev.cistern.exporter.report.Finding;
import dev.cistern.exporter.report.Finding.Confidence;
import dev.cistern.exporter.report.Finding.Kind;
import dev.cistern.exporter.report.Finding.Level;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.MemoryReport;
import dev.cistern.exporter.report.MemoryReport.PartBytes;
import dev.cistern.exporter.report.ModeChange;
import dev.cistern.exporter.report.Part;
import dev.cistern.leak.report.LargestAllocation;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LiveDetail;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.SiteTrend;
import dev.cistern.stats.AllocatorInfo;
import dev.cistern.stats.NettyAllocatorReport;
import dev.cistern.stats.NettyReport;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;

/** Each rule finds its cause in readings of a simulated process, and nothing in those without. */
class RulesTest {
  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;
  private static final String CART = "com.shop.Cart.encode:42";
  private static final List<Long> NO_COUNTS = List.of(0L, 0L, 0L);

  /** A process whose figures are functions of the second. */
  private static final class Simulated {
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
    int threads = 40;
    int allocators = 1;
    int arenas = 2;
    boolean isPooled = true;
    LeakReport leaks = LeakReport.EMPTY;
    LiveReport live = Reports.live(List.of(), List.of());
    NativeHeap.Trim trim;
    long fellBack;
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
              400 * MIB,
              "mappings",
              List.of(
                  new PartBytes(Part.NATIVE, nativeBytes.applyAsLong(second / 60 * 60)),
                  new PartBytes(Part.THREAD_STACKS, (threads * 100L) << 10)));
      JavaBeans.Figures beans =
          new JavaBeans.Figures(
              heapUsed.applyAsLong(second),
              256 * MIB,
              256 * MIB,
              metaspace.applyAsLong(second),
              direct.applyAsLong(second),
              100,
              mapped.applyAsLong(second),
              threads,
              young.applyAsLong(second),
              whole.applyAsLong(second),
              true);
      Facts facts =
          diagnostician.add(
              report,
              millis,
              memory,
              beans,
              Cgroup.NONE,
              new ProcessMemory.Arenas(arenas, nativeBytes.applyAsLong(second / 60 * 60) * 9 / 10),
              trim);
      return diagnostician.conclude(facts);
    }

    private CopyReport copy() {
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
                isPooled ? bytes - used : 0,
                huge.applyAsLong(second),
                0,
                List.of(0L, 0L, huge.applyAsLong(second) > 0 ? 1L : 0L),
                NO_COUNTS,
                List.of(0L, 0L, 0L, 0L, 0L, 0L),
                List.of(),
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
      return new CopyReport(
          "io.netty",
          "4.1.135.Final",
          "observe",
          "",
          List.of(),
          0,
          fellBack,
          0,
          leaks,
          live,
          new NettyReport(
              parts, 0, inventory, new NettyReport.Limit(GIB, limitUsed.applyAsLong(second))),
          ModeChange.UNKNOWN,
          List.of());
    }

    Finding first() {
      assertThat(last.findings()).as("findings").isNotEmpty();
      return last.findings().get(0);
    }

    List<Finding> findings() {
      return last.findings();
    }
  }

  private static LiveReport withPeak(long bytes) {
    return new LiveReport(
        Reports.NOON_MILLIS,
        524_288,
        List.of(),
        List.of(),
        0,
        new LiveDetail(List.of(), List.of(), bytes, 0));
  }

  @Test
  void aHealthyProcessHasNoFinding() {
    assertThat(new Simulated().run(600).findings()).isEmpty();
  }

  @Test
  void aLeakIsCertainAtOnceAndNamesItsSite() {
    Simulated process = new Simulated();
    process.leaks = Reports.leaks(List.of(Reports.entry("direct", CART, 3, 3 * MIB)));
    Finding leak = process.run(1).first();
    assertThat(leak.kind()).isEqualTo(Kind.LEAK);
    assertThat(leak.confidence()).isEqualTo(Confidence.HIGH);
    assertThat(leak.site()).isEqualTo(CART);
    assertThat(leak.what()).startsWith("Buffers of " + CART + " were never released: 3.0 MiB");
    assertThat(leak.evidence().get(0)).startsWith("certain: the garbage collector found 3");
  }

  @Test
  void aSiteThatGrowsIsOfLowConfidenceAndNotShownBesideItsLeak() {
    Simulated process = new Simulated();
    process.live =
        Reports.live(
            List.of(Reports.stack("direct", CART, 40, 9 * MIB)),
            List.of(new SiteTrend("direct", CART, MIB, 5 * MIB, Reports.NOON_MILLIS - 60_000)));
    Finding growth = process.run(1).first();
    assertThat(growth.kind()).isEqualTo(Kind.GROWTH);
    assertThat(growth.confidence()).isEqualTo(Confidence.LOW);
    process.leaks = Reports.leaks(List.of(Reports.entry("direct", CART, 3, 3 * MIB)));
    assertThat(process.run(1).findings()).extracting(Finding::kind).containsExactly(Kind.LEAK);
  }

  @Test
  void memoryThatIsKeptAfterABurstIsFoundWithinThreeMinutes() {
    Simulated process = new Simulated();
    process.reserved = second -> second < 20 ? 32 * MIB : GIB;
    process.pinned = second -> second >= 20 && second < 30 ? 900 * MIB : 4 * MIB;
    assertThat(process.run(100).findings()).isEmpty();
    Finding early = process.run(90).first();
    assertThat(early.kind()).isEqualTo(Kind.RETENTION);
    assertThat(early.confidence()).isEqualTo(Confidence.LOW);
    assertThat(process.run(100).first().confidence()).isEqualTo(Confidence.MEDIUM);
    Finding kept = process.run(360).first();
    assertThat(kept.confidence()).isEqualTo(Confidence.HIGH);
    assertThat(kept.bytes()).isGreaterThan(900 * MIB);
  }

  @Test
  void anAdaptiveAllocatorNeedsWhatIsLive() {
    Simulated process = new Simulated();
    process.isPooled = false;
    process.reserved = second -> 512 * MIB;
    process.live = withPeak(400 * MIB);
    assertThat(process.run(300).findings()).isEmpty();
    process.live = withPeak(4 * MIB);
    assertThat(process.run(180).first().kind()).isEqualTo(Kind.RETENTION);
  }

  /** Many arenas have reserved their first chunks: nothing was needed and kept. */
  @Test
  void memoryThatWasNeverNeededIsOfLowConfidence() {
    Simulated process = new Simulated();
    process.reserved = second -> 256 * MIB;
    process.pinned = second -> 3 * MIB;
    assertThat(process.run(1_200).first().confidence()).isEqualTo(Confidence.LOW);
  }

  /** The pause between the bursts is remembered for longer than their figures. */
  @Test
  void memoryForBurstsOfAQuarterOfAnHourIsOfLowConfidenceAfterTheSecond() {
    Simulated process = new Simulated();
    process.reserved = second -> GIB;
    process.pinned = second -> second % 900 < 10 ? 900 * MIB : 4 * MIB;
    assertThat(process.run(890).first().kind()).isEqualTo(Kind.RETENTION);
    process.run(30);
    for (int i = 0; i < 60; i++) {
      assertThat(process.run(30).findings())
          .allMatch(finding -> finding.confidence() == Confidence.LOW);
    }
  }

  @Test
  void memoryForBurstsThatReturnIsNotKeptInVain() {
    Simulated process = new Simulated();
    process.reserved = second -> GIB;
    process.pinned = second -> second % 210 < 10 ? 900 * MIB : 4 * MIB;
    for (int i = 0; i < 40; i++) {
      assertThat(process.run(30).findings())
          .allMatch(finding -> finding.confidence() == Confidence.LOW);
    }
    assertThat(process.findings()).isEmpty();
  }

  @Test
  void memoryThatIsBeingGivenBackIsNotKept() {
    Simulated process = new Simulated();
    process.reserved = second -> second < 20 ? GIB : Math.max(40, 1000 - 5 * (second - 20)) * MIB;
    process.pinned = second -> second < 20 ? 900 * MIB : 4 * MIB;
    assertThat(process.run(200).findings()).isEmpty();
  }

  @Test
  void directBuffersWithoutACollectionAreUndecidedUntilOneFreesThem() {
    Simulated process = new Simulated();
    process.direct = second -> (10L + second) * MIB;
    Finding undecided = process.run(300).first();
    assertThat(undecided.kind()).isEqualTo(Kind.COLLECTOR);
    assertThat(undecided.confidence()).isEqualTo(Confidence.LOW);
    assertThat(undecided.next()).contains("/debug/gc");
    assertThat(process.run(125).first().confidence()).isEqualTo(Confidence.MEDIUM);
    process.direct = second -> 12 * MIB;
    process.whole = second -> 1;
    Finding certain = process.run(5).first();
    assertThat(certain.kind()).isEqualTo(Kind.COLLECTOR);
    assertThat(certain.confidence()).isEqualTo(Confidence.HIGH);
  }

  @Test
  void buffersThatTheApplicationFreesItselfAreNotCertainToWaitForTheCollector() {
    Simulated process = new Simulated();
    process.direct = second -> (second % 40 < 20 ? 10 : 200) * MIB;
    process.whole = second -> second / 80; // at every second of these releases
    assertThat(process.run(400).findings())
        .extracting(Finding::confidence)
        .containsOnly(Confidence.LOW);
  }

  @Test
  void aCollectionThatRunsShortlyAfterAReleaseHasNotFreedThem() {
    Simulated process = new Simulated();
    process.direct = second -> (second % 40 < 20 ? 10 : 200) * MIB;
    process.whole = second -> second < 81 ? 0 : (second - 81) / 80 + 1;
    assertAllLow(process, 400);
  }

  @Test
  void releasesAtTheTimeOfACollectionAreACoincidenceIfMostCollectionsFreeLittle() {
    Simulated busy = new Simulated();
    busy.direct = second -> (second % 40 < 20 ? 10 : 200) * MIB;
    busy.young = second -> second;
    assertAllLow(busy, 400);
    Simulated batches = new Simulated();
    batches.direct = second -> (second % 60 < 20 ? 200 : 10) * MIB;
    batches.young = second -> second / 60 * 10 + Math.min(second % 60, 20) / 2;
    assertAllLow(batches, 600);
  }

  @Test
  void anEarlyCollectionThatFreedLittleDoesNotHideBuffersThatAreHeld() {
    Simulated process = new Simulated();
    process.direct = second -> (second < 20 ? 50 : 10L + 2L * Math.max(0, second - 60)) * MIB;
    process.whole = second -> second < 20 ? 0 : 1;
    assertThat(process.run(40).first().confidence()).isEqualTo(Confidence.HIGH);
    process.young = second -> second / 10;
    assertThat(process.run(170).first().kind()).isEqualTo(Kind.JDK_DIRECT);
  }

  @Test
  void failuresAreEvidenceOfTheLimit() {
    Simulated process = new Simulated();
    process.fellBack = 3;
    assertThat(process.run(1).first().kind()).isEqualTo(Kind.FALLBACKS);
    process.limitUsed = second -> 980 * MIB;
    assertThat(process.run(1).findings())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.kind()).isEqualTo(Kind.LIMIT_TOO_SMALL);
              assertThat(finding.evidence()).contains("3 allocations left to Netty");
            });
  }

  @Test
  void buffersThatGrowSlowlyAreFoundAsWell() {
    Simulated process = new Simulated();
    process.direct = second -> (10L << 20) + second * (MIB / 2);
    assertThat(process.run(290).first().kind()).isEqualTo(Kind.COLLECTOR);
    process.young = second -> second / 10;
    assertThat(process.run(30).first().kind()).isEqualTo(Kind.JDK_DIRECT);
  }

  @Test
  void cachesThatFillAndBatchesAreOfLowConfidence() {
    for (int start : new int[] {0, 100, 250}) {
      Simulated process = new Simulated();
      IntToLongFunction fill = second -> Math.max(0, Math.min(300, second - start)) * MIB;
      process.direct = second -> fill.applyAsLong(second) / 2 + 10 * MIB;
      process.mapped = fill;
      process.metaspace = second -> 40 * MIB + fill.applyAsLong(second) / 2;
      process.nativeBytes = fill;
      process.young = second -> second / 20;
      process.whole = second -> second / 100;
      assertAllLow(process, 900);
      Simulated withoutCollections = new Simulated();
      withoutCollections.direct = process.direct;
      assertAllLow(withoutCollections, 900);
    }
    for (int period : new int[] {70, 90, 100, 105, 130}) {
      Simulated batches = new Simulated();
      batches.direct = second -> (10 + 2L * (second % period)) * MIB;
      batches.mapped = second -> 2L * (second % period) * MIB;
      assertAllLow(batches, 1_200);
    }
  }

  /** Asserts that there are findings at some time, and all of low confidence. */
  private static void assertAllLow(Simulated process, int seconds) {
    boolean isFound = false;
    for (int i = 0; i < seconds / 5; i++) {
      int second = 5 * i;
      List<Finding> findings = process.run(5).findings();
      assertThat(findings)
          .as("second %d", second)
          .allMatch(finding -> finding.confidence() == Confidence.LOW);
      isFound |= !findings.isEmpty();
    }
    assertThat(isFound).isTrue();
  }

  @Test
  void anEarlySmallPeakDoesNotDelayRetention() {
    Simulated process = new Simulated();
    process.pinned =
        second -> second < 3 ? 3 * MIB : second < 120 || second > 140 ? MIB : 900 * MIB;
    process.reserved = second -> second < 120 ? 4 * MIB : 1024 * MIB;
    Finding kept = process.run(240).first();
    assertThat(kept.kind()).isEqualTo(Kind.RETENTION);
    assertThat(process.run(150).first().confidence()).isEqualTo(Confidence.MEDIUM);
  }

  @Test
  void arenasThatAreReservedOneAfterTheOtherAreOfLowConfidence() {
    Simulated process = new Simulated();
    process.pinned = second -> 3 * MIB;
    process.reserved = second -> Math.min(256, 4 + second) * MIB;
    assertThat(process.run(1_200).first().confidence()).isEqualTo(Confidence.LOW);
  }

  @Test
  void directBuffersThatCollectionsDoNotFreeAreHeld() {
    Simulated process = new Simulated();
    process.direct = second -> (10 + 2L * second) * MIB;
    process.young = second -> second / 10;
    Finding young = process.run(200).first();
    assertThat(young.kind()).isEqualTo(Kind.JDK_DIRECT);
    assertThat(young.confidence()).isEqualTo(Confidence.LOW);
    assertThat(process.run(225).first().confidence()).isEqualTo(Confidence.MEDIUM);
    process.whole = second -> 1;
    assertThat(process.run(10).first().confidence()).isEqualTo(Confidence.HIGH);
  }

  @Test
  void manyAllocatorsNameTheirCreator() {
    Simulated process = new Simulated();
    process.allocators = 20;
    Finding duplicates = process.run(2).first();
    assertThat(duplicates.kind()).isEqualTo(Kind.DUPLICATE_ALLOCATORS);
    assertThat(duplicates.level()).isEqualTo(Level.WARNING);
    assertThat(duplicates.site()).isEqualTo("com.shop.Server.start:42");
    process.allocators = 3;
    assertThat(process.run(2).findings()).isEmpty();
  }

  @Test
  void aGiantAllocationExplainsWhatIsKeptAfterIt() {
    Simulated process = new Simulated();
    LargestAllocation giant =
        new LargestAllocation(
            "direct", "com.shop.Upload.read:17", "io-1", 512 * MIB, Reports.NOON_MILLIS, true);
    process.live =
        new LiveReport(
            Reports.NOON_MILLIS,
            524_288,
            List.of(),
            List.of(),
            0,
            new LiveDetail(List.of(giant), List.of(), 0, 0));
    process.reserved = second -> 600 * MIB;
    process.pinned = second -> 4 * MIB;
    assertThat(process.run(200).findings())
        .extracting(Finding::kind)
        .containsExactly(Kind.GIANT_REQUEST, Kind.RETENTION);
  }

  /** A buffer that grows by itself is no allocation that could be sampled. */
  @Test
  void aGiantBufferThatHasGrownIsFoundByItsAllocatorsCounters() {
    Simulated process = new Simulated();
    process.huge = second -> second == 10 || second == 20 || second == 21 ? 512 * MIB : 0;
    assertThat(process.run(21).findings()).isEmpty(); // counters that change may not fit together
    Finding giant = process.run(100).first();
    assertThat(giant.kind()).isEqualTo(Kind.GIANT_REQUEST);
    assertThat(giant.bytes()).isEqualTo(512 * MIB);
  }

  @Test
  void manyThreadsAreFound() {
    Simulated process = new Simulated();
    process.threads = 540;
    Finding threads = process.run(2).first();
    assertThat(threads.kind()).isEqualTo(Kind.MANY_THREADS);
    assertThat(threads.confidence()).isEqualTo(Confidence.HIGH);
    process.threads = 300; // their stacks are a small part of the resident memory
    assertThat(process.run(2).first().confidence()).isEqualTo(Confidence.LOW);
  }

  @Test
  void peaksAtTheLimitAreFoundUnlessSomethingElseExplainsThem() {
    Simulated process = new Simulated();
    process.limitUsed = second -> second % 20 < 8 ? 980 * MIB : 300 * MIB;
    Finding limit = process.run(45).first();
    assertThat(limit.kind()).isEqualTo(Kind.LIMIT_TOO_SMALL);
    assertThat(limit.confidence()).isEqualTo(Confidence.HIGH);
    process.leaks = Reports.leaks(List.of(Reports.entry("direct", CART, 3, 3 * MIB)));
    assertThat(process.run(1).findings())
        .extracting(Finding::kind)
        .containsExactly(Kind.LEAK, Kind.LIMIT_TOO_SMALL);
  }

  @Test
  void mappedFilesAndMetaspaceThatGrowAreOutsideOfWhatCisternSees() {
    Simulated files = new Simulated();
    files.mapped = second -> second * MIB;
    assertThat(files.run(120).first().confidence()).isEqualTo(Confidence.LOW);
    Finding late = files.run(120).first();
    assertThat(late.kind()).isEqualTo(Kind.MAPPED_FILES);
    assertThat(late.confidence()).isEqualTo(Confidence.LOW);
    assertThat(files.run(185).first().confidence()).isEqualTo(Confidence.MEDIUM);
    assertThat(files.run(175).first().confidence()).isEqualTo(Confidence.HIGH);
    Simulated classes = new Simulated();
    classes.metaspace = second -> (40 + second) * MIB;
    assertThat(classes.run(240).first().kind()).isEqualTo(Kind.METASPACE);
  }

  @Test
  void classesThatAreLoadedAtTheStartAreNoFinding() {
    Simulated process = new Simulated();
    process.metaspace = second -> (40 + Math.min(300, second)) * MIB;
    for (int i = 0; i < 20; i++) {
      assertThat(process.run(30).findings())
          .allMatch(finding -> finding.confidence() == Confidence.LOW);
    }
  }

  @Test
  void aHeapThatFillsUpIsFoundByWhatCollectionsLeave() {
    Simulated process = new Simulated();
    process.young = second -> second / 3;
    process.heapUsed = second -> Math.min(250, 60 + second) * MIB;
    Finding heap = process.run(170).first();
    assertThat(heap.kind()).isEqualTo(Kind.JAVA_HEAP);
    Simulated garbage = new Simulated();
    garbage.young = second -> second / 30;
    garbage.heapUsed = second -> (60 + 6 * (second % 30)) * MIB;
    assertThat(garbage.run(300).findings()).isEmpty();
  }

  @Test
  void memoryThatMallocKeepsIsCertainOnceATrimHasFreedIt() {
    Simulated process = new Simulated();
    process.nativeBytes = second -> 300 * MIB;
    process.arenas = 16;
    assertThat(process.run(30).findings()).isEmpty();
    Finding kept = process.run(120).first();
    assertThat(kept.kind()).isEqualTo(Kind.MALLOC);
    assertThat(kept.confidence()).isEqualTo(Confidence.LOW);
    process.nativeBytes = second -> 40 * MIB;
    process.trim = new NativeHeap.Trim(Reports.NOON_MILLIS + 150_000, 260 * MIB, 140 * MIB);
    Finding certain = process.run(70).first();
    assertThat(certain.confidence()).isEqualTo(Confidence.HIGH);
    assertThat(certain.evidence().get(1)).contains("260.0 MiB");
    assertThat(process.run(600).findings()).isEmpty();
  }

  @Test
  void aRuleThatFailsIsNamedAndTheOthersGoOn() {
    Rule broken =
        facts -> {
          throw new IllegalStateException("injected");
        };
    Facts facts =
        new Facts(
            Reports.host(),
            0,
            0,
            MemoryReport.NONE,
            JavaBeans.Figures.NONE,
            new NeedWatch(),
            new LimitWatch(),
            new CollectionWatch(),
            new Facts.Series(),
            new ProcessMemory.Arenas(0, 0),
            null);
    Rules.Result result = Rules.apply(facts, List.of(broken, new LeakRule()));
    assertThat(result.failed()).hasSize(1);
    assertThat(result.findings()).extracting(Finding::kind).containsExactly(Kind.LEAK);
  }
}
