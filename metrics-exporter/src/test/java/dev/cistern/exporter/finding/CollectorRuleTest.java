/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.exporter.report.Finding;
import dev.cistern.exporter.report.Finding.Confidence;
import dev.cistern.exporter.report.Finding.Kind;
import dev.cistern.exporter.report.Finding.Level;
import org.junit.jupiter.api.Test;

/** Direct buffers outside of pools: garbage, held, or undecided. */
class CollectorRuleTest {
  private static final long MIB = Simulated.MIB;

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
    process.whole = second -> second / 80; // at every other release
    assertThat(process.run(400).findings())
        .extracting(Finding::confidence)
        .containsOnly(Confidence.LOW);
  }

  @Test
  void aCollectionThatRunsShortlyAfterAReleaseHasNotFreedThem() {
    Simulated process = new Simulated();
    process.direct = second -> (second % 40 < 20 ? 10 : 200) * MIB;
    process.whole = second -> second < 81 ? 0 : (second - 81) / 80 + 1;
    process.assertAllLow(400);
  }

  @Test
  void releasesAtTheTimeOfACollectionAreACoincidenceIfMostCollectionsFreeLittle() {
    Simulated busy = new Simulated();
    busy.direct = second -> (second % 40 < 20 ? 10 : 200) * MIB;
    busy.young = second -> second;
    busy.assertAllLow(400);
    Simulated batches = new Simulated();
    batches.direct = second -> (second % 60 < 20 ? 200 : 10) * MIB;
    batches.young = second -> second / 60 * 10 + Math.min(second % 60, 20) / 2;
    batches.assertAllLow(600);
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
  void buffersThatGrowSlowlyAreFoundAsWell() {
    Simulated process = new Simulated();
    process.direct = second -> (10L << 20) + second * (MIB / 2);
    assertThat(process.run(290).first().kind()).isEqualTo(Kind.COLLECTOR);
    process.young = second -> second / 10;
    assertThat(process.run(30).first().kind()).isEqualTo(Kind.JDK_DIRECT);
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

  /** G1 of JDK 17 frees buffers at the end of a marking, which no bean counts. */
  @Test
  void fallsThatMayBeAMarkingDoNotHideTheEffectOfAFullCollection() {
    Simulated process = new Simulated();
    process.countsAllCollections = false;
    process.direct = second -> (10 + 4L * (second % 50)) * MIB; // decreases at 50, 100 and 150 s
    process.whole = second -> second < 150 ? 0 : 1;
    Finding found = process.run(155).first();
    assertThat(found.kind()).isEqualTo(Kind.COLLECTOR);
    assertThat(found.confidence()).isEqualTo(Confidence.MEDIUM);
    Simulated counted = new Simulated();
    counted.direct = process.direct;
    counted.whole = process.whole;
    assertThat(counted.run(155).first().confidence()).isEqualTo(Confidence.LOW);
  }

  @Test
  void onlyWaitingBuffersAreReportedAsWaiting() {
    Simulated process = new Simulated();
    process.direct = second -> (second < 30 ? 1_000 : 560) * MIB;
    process.whole = second -> second < 30 ? 0 : 1;
    Finding found = process.run(40).first();
    assertThat(found.kind()).isEqualTo(Kind.COLLECTOR);
    assertThat(found.bytes()).isEqualTo(440 * MIB);
    assertThat(found.what()).contains("freed 440.0 MiB of 1000.0 MiB");
  }

  @Test
  void theBeginOfAFindingStaysTheSame() {
    Simulated process = new Simulated();
    process.direct = second -> (10 + 2L * second) * MIB;
    Finding early = process.run(100).first();
    Finding late = process.run(100).first();
    assertThat(late.sinceMillis()).isEqualTo(early.sinceMillis());
  }

  @Test
  void buffersThatMayBeGarbageExplainALimitThatIsNear() {
    Simulated process = new Simulated();
    long limit = LimitRuleTest.limitOfThisJvm();
    process.direct = second -> limit / 100 * (20 + second);
    assertThat(process.run(76).findings())
        .extracting(Finding::kind)
        .startsWith(Kind.COLLECTOR, Kind.LIMIT_TOO_SMALL);
    Finding near = process.findings().get(1);
    assertThat(near.level()).isEqualTo(Level.WARNING);
    assertThat(near.confidence()).isEqualTo(Confidence.MEDIUM);
  }
}
