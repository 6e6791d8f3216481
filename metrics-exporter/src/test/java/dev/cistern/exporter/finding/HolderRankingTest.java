/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import static dev.cistern.exporter.finding.HeldBuffers.AGGREGATOR;
import static dev.cistern.exporter.finding.HeldBuffers.HTTP2;
import static dev.cistern.exporter.finding.HeldBuffers.READ;
import static dev.cistern.exporter.finding.HeldBuffers.channels;
import static dev.cistern.exporter.finding.HeldBuffers.held;
import static dev.cistern.exporter.finding.HeldBuffers.live;
import static dev.cistern.exporter.finding.HeldBuffers.queue;
import static dev.cistern.exporter.finding.HeldBuffers.slices;
import static dev.cistern.exporter.finding.HeldBuffers.streams;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.cistern.exporter.Reports;
import dev.cistern.exporter.report.Finding;
import dev.cistern.exporter.report.Finding.Kind;
import dev.cistern.exporter.report.Finding.Level;
import dev.cistern.leak.report.HeldSite;
import dev.cistern.leak.report.HeldSite.Place;
import dev.cistern.leak.report.SiteTrend;
import dev.cistern.stats.ChannelReport;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The ranking puts the holder before its mere consequences. */
class HolderRankingTest {
  private static final long MIB = Simulated.MIB;

  private Simulated slow() {
    Simulated process = new Simulated();
    process.live = live(200 * MIB);
    process.channels = second -> channels(4, queue(50 * MIB, 1_000L * second, false));
    return process;
  }

  private List<Simulated> causes() {
    Simulated unread = new Simulated();
    unread.held = second -> List.of(held(Place.AGGREGATOR, AGGREGATOR, 200 * MIB, 0));
    Simulated pinned = new Simulated();
    pinned.slices = second -> List.of(slices(READ, 200, MIB, true));
    Simulated orphaned = new Simulated();
    orphaned.channels = second -> streams(2, 3, 800, 0, 0);
    orphaned.held = second -> List.of(held(Place.HTTP2, HTTP2, 200 * MIB, 0));
    return List.of(slow(), unread, pinned, orphaned);
  }

  private void assertFirst(Simulated process, Kind effect) {
    List<Finding> findings = process.findings();
    assertThat(findings).extracting(Finding::kind).contains(effect);
    assertThat(findings.get(0).kind())
        .isIn(
            Kind.SLOW_CONSUMER, Kind.UNREAD_BODIES, Kind.PINNED_BY_SLICES, Kind.ORPHANED_BY_CANCEL);
  }

  @Test
  void limitsOfDirectMemoryAndOfTheContainerFollow() {
    for (Simulated process : causes()) {
      process.limitUsed = second -> 1_000 * MIB;
      process.failed = second -> second;
      assertFirst(process.run(60), Kind.LIMIT_TOO_SMALL);
    }
    for (Simulated process : causes()) {
      process.containerLimit = Simulated.GIB;
      process.containerUsed = second -> 1_000 * MIB;
      assertFirst(process.run(60), Kind.LIMIT_TOO_SMALL);
    }
  }

  /** Buffers on the heap fill it. */
  @Test
  void onlyAJavaHeapThatTheyFillFollows() {
    for (Simulated process : causes()) {
      process.young = second -> second / 3;
      process.heapUsed = second -> 240 * MIB;
      assertFirst(process.run(90), Kind.JAVA_HEAP);
    }
    Simulated other = causes().get(0);
    other.heapMax = 4_096 * MIB;
    other.young = second -> second / 3;
    other.heapUsed = second -> 4_000 * MIB;
    assertThat(other.run(90).first().kind()).isEqualTo(Kind.JAVA_HEAP);
  }

  @Test
  void onlyTheHeldDirectBuffersOutsideOfPoolsFollow() {
    for (Simulated process : causes()) {
      process.direct = second -> Math.min(300, 60 + second / 2) * MIB;
      process.young = second -> second / 10;
      process.whole = second -> second / 200;
      assertFirst(process.run(455), Kind.JDK_DIRECT);
    }
    Simulated other = causes().get(0);
    other.direct = second -> (10 + 2L * second) * MIB;
    other.young = second -> second / 10;
    other.whole = second -> second / 200;
    assertThat(other.run(455).first().kind()).isEqualTo(Kind.JDK_DIRECT);
  }

  @Test
  void buffersThatNoCollectionHasTestedFollow() {
    for (Simulated process : causes()) {
      process.direct = second -> (60 + second / 2) * MIB;
      assertFirst(process.run(455), Kind.COLLECTOR);
    }
  }

  @Test
  void memoryOfMallocFollows() {
    for (Simulated process : causes()) {
      process.nativeBytes = second -> 300 * MIB;
      process.arenas = 16;
      assertFirst(process.run(150), Kind.MALLOC);
    }
  }

  @Test
  void growthFollowsAlsoAHandlerOfLowConfidence() {
    for (Simulated process : causes()) {
      process.live =
          Reports.live(
              List.of(Reports.stack("direct", READ, 400, 300 * MIB)),
              List.of(new SiteTrend("direct", READ, MIB, 5 * MIB, Reports.NOON_MILLIS)));
      assertFirst(process.run(60), Kind.GROWTH);
      HeldSite queue = held(Place.HANDLER, "com.shop.Queue", 200 * MIB, 0);
      process.channels = second -> ChannelReport.NONE;
      process.slices = second -> List.of();
      process.held = second -> List.of(queue);
      assertFirst(process.run(1), Kind.GROWTH);
    }
  }

  @Test
  void memoryThatAllocatorsKeepAfterASlowConsumerFollows() {
    Simulated process = slow();
    process.reserved = second -> 900 * MIB;
    process.pinned = second -> second < 10 ? 900 * MIB : 4 * MIB;
    assertFirst(process.run(640), Kind.RETENTION);
  }

  @Test
  void slicesExplainTheMessagesThatAHandlerKeeps() {
    Simulated process = new Simulated();
    process.slices = second -> List.of(slices(READ, 200, MIB, true));
    process.held = second -> List.of(held(Place.CUMULATION, "a.Decoder", 200 * MIB, 0));
    assertThat(process.run(61).findings())
        .extracting(Finding::kind)
        .containsExactly(Kind.PINNED_BY_SLICES, Kind.UNREAD_BODIES);
  }

  @Test
  void slicesThatAreANoticeExplainOnlyANotice() {
    Simulated process = new Simulated();
    process.slices = second -> List.of(slices(READ, 200, MIB, false));
    process.held = second -> List.of(held(Place.CUMULATION, "a.Decoder", 300 * MIB, 0));
    assertThat(process.run(1).findings())
        .extracting(Finding::kind, Finding::level)
        .containsExactly(
            tuple(Kind.PINNED_BY_SLICES, Level.NOTICE), tuple(Kind.UNREAD_BODIES, Level.NOTICE));
    assertThat(process.run(60).findings())
        .extracting(Finding::kind, Finding::level)
        .containsExactly(
            tuple(Kind.UNREAD_BODIES, Level.WARNING), tuple(Kind.PINNED_BY_SLICES, Level.NOTICE));
  }
}
