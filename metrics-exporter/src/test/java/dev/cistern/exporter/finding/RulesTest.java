/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.exporter.Reports;
import dev.cistern.exporter.process.JavaBeans;
import dev.cistern.exporter.process.NativeHeap;
import dev.cistern.exporter.process.ProcessMemory;
import dev.cistern.exporter.report.Finding;
import dev.cistern.exporter.report.Finding.Confidence;
import dev.cistern.exporter.report.Finding.Kind;
import dev.cistern.exporter.report.Finding.Level;
import dev.cistern.exporter.report.MemoryReport;
import dev.cistern.leak.report.LargestAllocation;
import dev.cistern.leak.report.LiveDetail;
import dev.cistern.leak.report.LiveEstimate;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.LiveStack;
import dev.cistern.leak.report.SiteTrend;
import java.util.List;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;

/**
 * Each rule finds its cause in the values of a simulated process, and nothing in those without the
 * cause.
 */
class RulesTest {
  private static final long MIB = Simulated.MIB;
  private static final long GIB = Simulated.GIB;
  private static final String CART = Simulated.CART;
  private static final String UPLOAD = "com.shop.Upload.read:17";

  private static LiveReport withPeak(long bytes) {
    return new LiveReport(
        Reports.NOON_MILLIS,
        524_288,
        List.of(),
        List.of(),
        0,
        new LiveDetail(List.of(), List.of(), List.of(), List.of(), bytes, 0));
  }

  /** Returns buffers of the upload that are some minutes old. */
  private static List<LiveStack> old(double buffers, double bytes) {
    LiveEstimate estimate =
        new LiveEstimate(9, buffers, 0, bytes, 0, List.of(0.0, 0.0, bytes, 0.0));
    return List.of(
        new LiveStack("direct", Reports.stack(UPLOAD), Reports.NOON_MILLIS, 0, estimate));
  }

  private static LiveReport giant(List<LiveStack> stacks) {
    LargestAllocation giant =
        new LargestAllocation("direct", UPLOAD, "io-1", 512 * MIB, Reports.NOON_MILLIS, true);
    return new LiveReport(
        Reports.NOON_MILLIS,
        524_288,
        stacks,
        List.of(),
        0,
        new LiveDetail(List.of(giant), List.of(), List.of(), List.of(), 0, 0));
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
  void anAdaptiveAllocatorNeedsItsLiveBytes() {
    Simulated process = new Simulated();
    process.isPooled = false;
    process.reserved = second -> 512 * MIB;
    process.live = withPeak(400 * MIB);
    assertThat(process.run(300).findings()).isEmpty();
    process.live = withPeak(4 * MIB);
    assertThat(process.run(180).first().kind()).isEqualTo(Kind.RETENTION);
  }

  /** Many arenas have reserved their first chunks: no memory was needed and then kept. */
  @Test
  void memoryThatWasNeverNeededIsOfLowConfidence() {
    Simulated process = new Simulated();
    process.reserved = second -> 256 * MIB;
    process.pinned = second -> 3 * MIB;
    assertThat(process.run(1_200).first().confidence()).isEqualTo(Confidence.LOW);
  }

  /** The rule remembers the pause between the bursts for longer than their values. */
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
  void memoryForRecurringBurstsIsOfLowConfidenceAndThenNoFinding() {
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
  void memoryThatIsBeingFreedIsNotKept() {
    Simulated process = new Simulated();
    process.reserved = second -> second < 20 ? GIB : Math.max(40, 1000 - 5 * (second - 20)) * MIB;
    process.pinned = second -> second < 20 ? 900 * MIB : 4 * MIB;
    assertThat(process.run(200).findings()).isEmpty();
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
      process.assertAllLow(900);
      Simulated withoutCollections = new Simulated();
      withoutCollections.direct = process.direct;
      withoutCollections.assertAllLow(900);
    }
    for (int period : new int[] {70, 90, 100, 105, 130}) {
      Simulated batches = new Simulated();
      batches.direct = second -> (10 + 2L * (second % period)) * MIB;
      batches.mapped = second -> 2L * (second % period) * MIB;
      batches.assertAllLow(1_200);
    }
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
  void aGiantAllocationExplainsTheMemoryKeptAfterIt() {
    Simulated process = new Simulated();
    process.live = giant(List.of());
    process.reserved = second -> 600 * MIB;
    process.pinned = second -> 4 * MIB;
    assertThat(process.run(200).findings())
        .extracting(Finding::kind)
        .containsExactly(Kind.GIANT_REQUEST, Kind.RETENTION);
  }

  /** A buffer that grows by itself is no allocation that the sampler could see. */
  @Test
  void aGiantBufferThatHasGrownIsFoundByItsAllocatorsCounters() {
    Simulated process = new Simulated();
    process.huge = second -> second == 10 || second == 20 || second == 21 ? 512 * MIB : 0;
    assertThat(process.run(21).findings()).isEmpty(); // changing counters can be inconsistent
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
  void growingMappedFilesAndMetaspaceAreOutsideOfCistern() {
    Simulated files = new Simulated();
    files.mapped = second -> second * MIB;
    files.residentFiles = files.mapped;
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
  void aHeapThatFillsUpIsFoundByItsUseAfterCollections() {
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
  void aRuleThatFailsIsNamedAndTheOtherRulesRun() {
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

  @Test
  void cachesOfAFewThreadsAreNoMatterOfManyThreads() {
    Simulated process = new Simulated();
    process.threads = 300;
    process.reserved = second -> 500 * MIB;
    process.freePages = second -> 100 * MIB;
    process.threadCaches = 8;
    assertThat(process.run(2).first().confidence()).isEqualTo(Confidence.LOW);
    process.threadCaches = 300;
    assertThat(process.run(2).first().confidence()).isEqualTo(Confidence.HIGH);
  }

  @Test
  void mappedFilesThatAreNotReadTakeNoMemory() {
    Simulated process = new Simulated();
    process.mapped = second -> 4L * second * MIB;
    process.run(120).assertAllLow(600);
    assertThat(process.first().level()).isEqualTo(Level.NOTICE);
  }

  @Test
  void aGiantBufferThatIsStillHeldMayBeAsLargeOnPurpose() {
    Simulated process = new Simulated();
    process.live = giant(old(1, 512 * MIB));
    assertThat(process.run(20).first().level()).isEqualTo(Level.WARNING);
    Finding held = process.run(150).first();
    assertThat(held.kind()).isEqualTo(Kind.GIANT_REQUEST);
    assertThat(held.level()).isEqualTo(Level.NOTICE);
    assertThat(held.confidence()).isEqualTo(Confidence.MEDIUM);
    assertThat(held.evidence().get(1)).contains("still held");
    process.live = giant(old(900, 512 * MIB));
    assertThat(process.run(5).first().confidence()).isEqualTo(Confidence.HIGH); // small buffers
    Simulated grown = new Simulated();
    grown.huge = second -> 512 * MIB;
    assertThat(grown.run(150).first().confidence()).isEqualTo(Confidence.MEDIUM);
    Simulated repeated = new Simulated();
    repeated.huge = grown.huge;
    repeated.hugeAllocations = second -> 1 + second / 10;
    assertThat(repeated.run(150).first().confidence()).isEqualTo(Confidence.HIGH);
  }

  @Test
  void aGiantBufferIsJudgedByTheResidentMemoryOnly() {
    Simulated process = new Simulated();
    process.live = giant(List.of());
    process.residentBytes = 0;
    assertThat(process.run(20).findings()).isEmpty();
  }

  @Test
  void allocatorsThatFoundNoPlaceAreCountedAsMore() {
    Simulated process = new Simulated();
    process.allocators = 20;
    process.dropped = 3;
    assertThat(process.run(2).first().what()).contains("has at least 20 allocators");
  }
}
