/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.exporter.Reports;
import dev.cistern.exporter.process.JavaBeans;
import dev.cistern.exporter.report.Diagnosis;
import dev.cistern.exporter.report.Finding;
import dev.cistern.exporter.report.Finding.Confidence;
import dev.cistern.exporter.report.Finding.Kind;
import dev.cistern.exporter.report.Finding.Level;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Use that is near a limit. */
class LimitRuleTest {
  private static final long MIB = Simulated.MIB;

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
  void peaksAtTheLimitAreFoundUnlessSomethingElseExplainsThem() {
    Simulated process = new Simulated();
    process.limitUsed = second -> second % 20 < 8 ? 980 * MIB : 300 * MIB;
    Finding limit = process.run(45).first();
    assertThat(limit.kind()).isEqualTo(Kind.LIMIT_TOO_SMALL);
    assertThat(limit.confidence()).isEqualTo(Confidence.HIGH);
    process.leaks = Reports.leaks(List.of(Reports.entry("direct", Simulated.CART, 3, 3 * MIB)));
    assertThat(process.run(1).findings())
        .extracting(Finding::kind)
        .containsExactly(Kind.LEAK, Kind.LIMIT_TOO_SMALL);
  }

  static long limitOfThisJvm() {
    long option = Long.parseLong(JavaBeans.option("MaxDirectMemorySize"));
    return option > 0 ? option : Runtime.getRuntime().maxMemory();
  }

  private static Diagnosis.Limit container(Simulated process) {
    return process.limits().stream()
        .filter(limit -> limit.name().equals(LimitWatch.CONTAINER))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void failuresOfHeapMemoryAreNoEvidenceForALimitOfDirectMemory() {
    Simulated process = new Simulated();
    process.failedOnHeap = second -> second;
    process.limitUsed = second -> 980 * MIB;
    Finding near = process.run(10).find(Kind.LIMIT_TOO_SMALL);
    assertThat(near.confidence()).isEqualTo(Confidence.MEDIUM);
    assertThat(near.evidence())
        .contains(
            "9 allocations failed since the start, 0 of them at this limit in the last ten minutes");
  }

  /** All memory is reserved, half of it is free, and an allocation fails nevertheless. */
  @Test
  void failuresNearTheLimitAreFoundAlthoughPoolsHaveFreeMemory() {
    Simulated process = new Simulated();
    process.reserved = second -> 500 * MIB;
    process.limitUsed = second -> 1_020 * MIB;
    assertThat(process.run(30).findings())
        .extracting(Finding::kind)
        .doesNotContain(Kind.LIMIT_TOO_SMALL);
    process.failed = second -> second;
    Finding near = process.run(10).first();
    assertThat(near.kind()).isEqualTo(Kind.LIMIT_TOO_SMALL);
    assertThat(near.evidence().get(0)).contains("1020.0 MiB are reserved now");
    assertThat(near.evidence().get(1)).contains("39 allocations failed since the start");
  }

  /** The heap already uses its part of the limit, or cannot exceed its own limit. */
  @Test
  void aContainerIsExhaustedByGrowthOutsideOfAFullHeap() {
    Simulated process = new Simulated();
    process.containerLimit = Simulated.GIB;
    process.heapMax = Simulated.GIB;
    process.javaHeap = second -> 200 * MIB;
    process.containerUsed = second -> (300 + second) * MIB;
    Diagnosis.Limit ahead = container(process.run(400));
    assertThat(OutlookTest.isAhead(ahead)).isTrue();
    assertThat(ahead.millis()).isBetween(280_000L, 370_000L);
  }

  @Test
  void aHeapThatGrowsToItsLimitDoesNotExhaustTheContainer() {
    Simulated process = new Simulated();
    process.containerLimit = Simulated.GIB;
    process.heapMax = 600 * MIB;
    process.javaHeap = second -> (100 + second) * MIB;
    process.containerUsed = second -> (250 + second) * MIB;
    assertThat(OutlookTest.isAhead(container(process.run(400)))).isFalse();
    process.containerUsed = second -> (250 + 2 * second) * MIB - 400 * MIB; // native growth as well
    assertThat(OutlookTest.isAhead(container(process.run(280)))).isTrue();
  }

  /** Without the page map, only the committed heap is known. */
  @Test
  void aHeapThatIsNotMeasuredDoesNotExhaustTheContainer() {
    Simulated process = new Simulated();
    process.isMeasured = false;
    process.containerLimit = Simulated.GIB;
    process.heapMax = 600 * MIB;
    process.heapCommitted = second -> (100 + second) * MIB;
    process.containerUsed = second -> (250 + second) * MIB;
    assertThat(OutlookTest.isAhead(container(process.run(400)))).isFalse();
  }

  @Test
  void buffersThatACollectionLeftAreNotGarbage() {
    Simulated process = new Simulated();
    long used = limitOfThisJvm() / 100 * 95;
    process.direct = second -> used;
    process.whole = second -> second < 10 ? 0 : 1;
    for (int i = 0; i < 2; i++) {
      Finding limit = process.run(700).first();
      assertThat(limit.kind()).isEqualTo(Kind.LIMIT_TOO_SMALL);
      assertThat(limit.level()).isEqualTo(Level.CRITICAL);
      assertThat(limit.confidence()).isEqualTo(Confidence.HIGH);
    }
  }

  @Test
  void aCollectionBeforeTheGrowthSettlesNothing() {
    Simulated process = new Simulated();
    long percent = limitOfThisJvm() / 100;
    process.direct = second -> percent * Math.min(95, second);
    process.young = second -> second / 5;
    process.whole = second -> second < 10 ? 0 : 1;
    Finding limit = process.run(140).find(Kind.LIMIT_TOO_SMALL);
    assertThat(limit.level()).isEqualTo(Level.WARNING);
    assertThat(limit.confidence()).isEqualTo(Confidence.MEDIUM);
    assertThat(limit.evidence()).anyMatch(text -> text.contains("may be garbage"));
  }

  /** Use grows by 4 KiB a second, and 124 MiB are left. */
  @Test
  void growthThatIsNoiseBesideTheLimitHasNoTime() {
    Simulated process = new Simulated();
    process.containerLimit = Simulated.GIB;
    process.heapMax = 900 * MIB;
    process.javaHeap = second -> 300 * MIB;
    process.containerUsed = second -> 900 * MIB + 4_096L * second;
    assertThat(OutlookTest.isAhead(container(process.run(600)))).isFalse();
  }

  @Test
  void recommendedLimitsAreNotBelowTheUsedLimit() {
    Simulated process = new Simulated();
    process.reserved = second -> 700 * MIB; // 20 MiB of it are in use
    process.limitUsed = second -> 720 * MIB;
    long recommended = process.run(660).advice(Diagnosis.AdviceTerm.DIRECT);
    assertThat(recommended).isBetween(720 * MIB, 760 * MIB);
  }

  /** The JVM counts the memory of this copy as well, so one sum includes it only once. */
  @Test
  void memoryThatTwoLimitsCountIsRecommendedOnce() {
    Simulated process = new Simulated();
    long used = limitOfThisJvm() / 2;
    process.nettyLimit = limitOfThisJvm() - MIB;
    process.reserved = second -> used;
    process.pinned = second -> used;
    process.inJvmAccount = used;
    process.limitUsed = second -> used;
    process.direct = second -> used;
    long direct = process.run(660).advice("all_direct");
    assertThat(direct).isBetween(used + used / 4, used + used / 4 + 32 * MIB);
  }
}
