/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import static dev.cistern.exporter.finding.HeldBuffers.HTTP2;
import static dev.cistern.exporter.finding.HeldBuffers.READ;
import static dev.cistern.exporter.finding.HeldBuffers.held;
import static dev.cistern.exporter.finding.HeldBuffers.streams;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.cistern.exporter.Reports;
import dev.cistern.exporter.report.Finding;
import dev.cistern.exporter.report.Finding.Confidence;
import dev.cistern.exporter.report.Finding.Kind;
import dev.cistern.exporter.report.Finding.Level;
import dev.cistern.leak.report.HeldSite;
import dev.cistern.leak.report.HeldSite.Place;
import dev.cistern.stats.ChannelReport;
import dev.cistern.stats.ChannelReport.Streams;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Received data of calls that were cancelled or failed. */
class OrphanedByCancelRuleTest {
  private static final long MIB = Simulated.MIB;

  private static final long UNKNOWN = Streams.UNKNOWN;

  private Simulated with(ChannelReport channels, HeldSite... sites) {
    Simulated process = new Simulated();
    process.channels = second -> channels;
    process.held = second -> List.of(sites);
    return process;
  }

  private Simulated leaking(Simulated process) {
    process.leaks = Reports.leaks(List.of(Reports.entry("direct", READ, 900, 900 * MIB)));
    return process;
  }

  @Test
  void dataOfCallsOfWhichHalfFailedIsCertainFrom32Mebibytes() {
    Finding found =
        with(streams(2, 0, 602, 0, 0), held(Place.HTTP2, HTTP2, 40 * MIB, 0)).run(1).first();
    assertThat(found.kind()).isEqualTo(Kind.ORPHANED_BY_CANCEL);
    assertThat(found.level()).isEqualTo(Level.WARNING);
    assertThat(found.confidence()).isEqualTo(Confidence.HIGH);
    assertThat(found.bytes()).isEqualTo(40 * MIB);
    assertThat(found.site()).isEqualTo(READ);
    assertThat(found.what())
        .isEqualTo(
            "Received data of calls that were cancelled or failed was not released: 40.0 MiB");
    assertThat(found.evidence())
        .containsExactly(
            "602 of 1,204 calls ended without success",
            "40.0 MiB are older than 10 s, and open streams have 0 B of them; 0 of 1,204 streams"
                + " are open",
            "held by " + HTTP2 + " (HTTP/2 connection) of io.netty",
            "allocated by " + READ + " (41.0 MiB)");
    assertThat(found.next()).contains("cancel");
    Simulated less = with(streams(2, 0, 602, 0, 0), held(Place.HTTP2, HTTP2, 32 * MIB - 1, 0));
    assertThat(less.run(1).first().confidence()).isEqualTo(Confidence.MEDIUM);
    Simulated fewer = with(streams(2, 0, 601, 0, 0), held(Place.HTTP2, HTTP2, 40 * MIB, 0));
    assertThat(fewer.run(1).first().confidence()).isEqualTo(Confidence.MEDIUM);
  }

  @Test
  void oneFailedCallOfTenIsEvidence() {
    HeldSite kept = held(Place.HTTP2, HTTP2, 40 * MIB, 0);
    assertThat(with(streams(2, 3, 121, 0, 0), kept).run(1).first().confidence())
        .isEqualTo(Confidence.MEDIUM);
    assertThat(with(streams(2, 3, 120, 0, 0), kept).run(1).findings()).isEmpty();
    Streams none = new Streams(2, 3, 0, 0, 0, 0); // no failed calls of no calls
    assertThat(
            with(new ChannelReport(2, 0, 0, 0, 0, none, List.of(), List.of()), kept)
                .run(1)
                .findings())
        .isEmpty();
  }

  @Test
  void dataOfOpenStreamsIsTakenOff() {
    Finding found =
        with(streams(2, 3, 200, 0, 4 * MIB), held(Place.HTTP2, HTTP2, 40 * MIB, 0)).run(1).first();
    assertThat(found.bytes()).isEqualTo(36 * MIB);
  }

  @Test
  void dataThatTheCollectorFoundCountsOnce() {
    Finding found =
        with(streams(2, 3, 200, 0, 12 * MIB), held(Place.HTTP2, HTTP2, 32 * MIB, 12 * MIB))
            .run(1)
            .first();
    assertThat(found.bytes()).isEqualTo(20 * MIB);
    assertThat(found.evidence()).contains("12.0 MiB were garbage collected without a release");
  }

  @Test
  void sixteenMebibytesAreMuch() {
    Simulated process = with(streams(2, 3, 200, 0, 0), held(Place.HTTP2, HTTP2, 16 * MIB, 0));
    assertThat(process.run(1).first().kind()).isEqualTo(Kind.ORPHANED_BY_CANCEL);
    assertThat(
            with(streams(2, 3, 200, 0, 0), held(Place.HTTP2, HTTP2, 16 * MIB - 1, 0))
                .run(1)
                .findings())
        .isEmpty();
  }

  @Test
  void dataThatOpenStreamsHaveUnreadOrUnsentIsNotOrphaned() {
    with(streams(2, 8, 900, 0, 60 * MIB), held(Place.HTTP2, HTTP2, 70 * MIB, 0))
        .assertNoneOf(Kind.ORPHANED_BY_CANCEL);
    with(streams(2, 8, 900, 60 * MIB, 0), held(Place.HTTP2, HTTP2, 70 * MIB, 0))
        .assertNoneOf(Kind.ORPHANED_BY_CANCEL);
  }

  /** The 500 MiB are an estimate from a thousand samples. */
  @Test
  void theErrorOfAnEstimateIsNotOrphaned() {
    with(streams(40, 800, 900, 0, 500 * MIB), held(Place.HTTP2, HTTP2, 530 * MIB, 0))
        .assertNoneOf(Kind.ORPHANED_BY_CANCEL);
  }

  /** The application keeps whole messages, with or without open streams. */
  @Test
  void aCacheOfMessagesWithoutFailedCallsIsUpToANotice() {
    HeldSite cache = held(Place.HTTP2, HTTP2, 900 * MIB, 0);
    for (long failed : new long[] {0, 120, UNKNOWN}) {
      assertThat(with(streams(2, 0, failed, 0, 0), cache).run(60).findings())
          .extracting(Finding::kind, Finding::level, Finding::confidence)
          .containsExactly(tuple(Kind.ORPHANED_BY_CANCEL, Level.NOTICE, Confidence.LOW));
      assertThat(with(streams(2, 3, failed, 0, 0), cache).run(60).findings()).isEmpty();
    }
  }

  @Test
  void dataThatOutlivesItsStreamsIsANoticeFrom32Mebibytes() {
    Finding found = with(streams(2, 0, 0, 0), held(Place.HTTP2, HTTP2, 32 * MIB, 0)).run(1).first();
    assertThat(found.what())
        .isEqualTo("Received data was not released after its streams had ended: 32.0 MiB");
    assertThat(found.evidence())
        .containsExactly(
            "32.0 MiB are older than 10 s, and open streams have 0 B of them; 0 of 1,204 streams"
                + " are open",
            "held by " + HTTP2 + " (HTTP/2 connection) of io.netty",
            "allocated by " + READ + " (33.0 MiB)");
    assertThat(
            with(streams(2, 0, 0, 0), held(Place.HTTP2, HTTP2, 32 * MIB - 1, 0)).run(1).findings())
        .isEmpty();
  }

  @Test
  void aLeakWithoutFailedCallsIsALeak() {
    HeldSite lost = held(Place.HTTP2, HTTP2, 100 * MIB, 100 * MIB);
    for (ChannelReport channels :
        List.of(
            streams(2, 0, 0, 0),
            streams(2, 0, UNKNOWN, 0, 0),
            streams(2, 0, UNKNOWN, 0, UNKNOWN),
            ChannelReport.NONE)) {
      assertThat(leaking(with(channels, lost)).run(1).findings())
          .extracting(Finding::kind)
          .containsExactly(Kind.LEAK);
    }
  }

  @Test
  void ifUnreadDataIsNotKnownOnlyLostDataIsOrphaned() {
    HeldSite kept = held(Place.HTTP2, HTTP2, 40 * MIB, 0);
    Streams partial = new Streams(2, 0, 1_204, 900, 0, 0);
    for (ChannelReport channels :
        List.of(
            ChannelReport.NONE,
            streams(2, 0, 900, 0, UNKNOWN),
            // the channels that the report leaves out can have open streams
            new ChannelReport(2, 0, 0, 0, 7, partial, List.of(), List.of()))) {
      assertThat(with(channels, kept).run(1).findings())
          .extracting(Finding::kind)
          .containsExactly(Kind.UNREAD_BODIES);
    }
    Finding lost =
        with(streams(2, 0, 900, 0, UNKNOWN), held(Place.HTTP2, HTTP2, 20 * MIB, 20 * MIB))
            .run(1)
            .first();
    assertThat(lost.kind()).isEqualTo(Kind.ORPHANED_BY_CANCEL);
    assertThat(lost.bytes()).isEqualTo(20 * MIB);
    assertThat(lost.evidence()).noneMatch(text -> text.contains("open streams have"));
  }

  @Test
  void itIsNotUnreadAsWellAndItsLeakFollows() {
    HeldSite kept = held(Place.HTTP2, HTTP2, 300 * MIB, 100 * MIB);
    assertThat(leaking(with(streams(2, 8, 900, 0, 30 * MIB), kept)).run(1).findings())
        .extracting(Finding::kind)
        .containsExactly(Kind.ORPHANED_BY_CANCEL, Kind.LEAK);
    assertThat(with(streams(2, 8, 0, 0, 30 * MIB), kept).run(1).findings())
        .extracting(Finding::kind)
        .containsExactly(Kind.UNREAD_BODIES);
  }
}
