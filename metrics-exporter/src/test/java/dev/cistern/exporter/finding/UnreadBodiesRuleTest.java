/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import static dev.cistern.exporter.finding.HeldBuffers.AGGREGATOR;
import static dev.cistern.exporter.finding.HeldBuffers.HTTP2;
import static dev.cistern.exporter.finding.HeldBuffers.READ;
import static dev.cistern.exporter.finding.HeldBuffers.held;
import static dev.cistern.exporter.finding.HeldBuffers.heldAt;
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
import dev.cistern.leak.report.SiteTrend;
import dev.cistern.stats.ChannelReport.Streams;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Received data that the application has not consumed. */
class UnreadBodiesRuleTest {
  private static final long MIB = Simulated.MIB;

  private Simulated with(HeldSite... sites) {
    Simulated process = new Simulated();
    process.held = second -> List.of(sites);
    return process;
  }

  @Test
  void uploadsThatTrickleIntoAnAggregatorAreCertainAfterAMinuteFrom32Mebibytes() {
    Simulated process = with(held(Place.AGGREGATOR, AGGREGATOR, 32 * MIB, 0));
    assertThat(process.run(60).first().confidence()).isEqualTo(Confidence.MEDIUM);
    Finding found = process.run(1).first();
    assertThat(found.kind()).isEqualTo(Kind.UNREAD_BODIES);
    assertThat(found.confidence()).isEqualTo(Confidence.HIGH);
    assertThat(found.bytes()).isEqualTo(32 * MIB);
    assertThat(found.site()).isEqualTo(READ);
    assertThat(found.what())
        .isEqualTo(
            "HttpObjectAggregator holds received data that the application has not consumed: 32.0"
                + " MiB");
    assertThat(found.evidence())
        .containsExactly(
            "32.0 MiB are older than 10 s, the oldest 1 min 0 s",
            "held by " + AGGREGATOR + " (aggregator) of io.netty",
            "allocated by " + READ + " (33.0 MiB)");
    assertThat(found.next()).contains("maxContentLength");
    Simulated less = with(held(Place.AGGREGATOR, AGGREGATOR, 32 * MIB - 1, 0));
    assertThat(less.run(61).first().confidence()).isEqualTo(Confidence.MEDIUM);
  }

  /** An upload of 40 MiB that takes 15 s is healthy. */
  @Test
  void aLargeUploadIsOfLowConfidenceForHalfAMinute() {
    Simulated process = with(held(Place.AGGREGATOR, AGGREGATOR, 40 * MIB, 0));
    assertThat(process.run(30).findings())
        .extracting(Finding::kind, Finding::level, Finding::confidence)
        .containsExactly(tuple(Kind.UNREAD_BODIES, Level.NOTICE, Confidence.LOW));
    assertThat(process.run(1).findings())
        .extracting(Finding::kind, Finding::level, Finding::confidence)
        .containsExactly(tuple(Kind.UNREAD_BODIES, Level.WARNING, Confidence.MEDIUM));
  }

  @Test
  void oneUploadOf20MebibytesIsHealthy() {
    assertThat(with(held(Place.AGGREGATOR, AGGREGATOR, 20 * MIB, 0)).run(60).findings()).isEmpty();
    assertThat(with(held(Place.AGGREGATOR, AGGREGATOR, 24 * MIB - 1, 0)).run(1).findings())
        .isEmpty();
  }

  @Test
  void theSitesOfAHolderAddUpAndHoldersDoNot() {
    Simulated process =
        with(
            heldAt("com.shop.A.read:1", Place.CUMULATION, "a.Decoder", 15 * MIB, 0),
            heldAt("com.shop.B.read:2", Place.CUMULATION, "a.Decoder", 18 * MIB, 0));
    Finding found = process.run(61).first();
    assertThat(found.bytes()).isEqualTo(33 * MIB);
    assertThat(found.confidence()).isEqualTo(Confidence.HIGH);
    assertThat(found.site()).isEqualTo("com.shop.B.read:2");
    assertThat(found.next()).contains("decoder");
    assertThat(
            with(
                    held(Place.CUMULATION, "a.Decoder", 15 * MIB, 0),
                    held(Place.CUMULATION, "b.Decoder", 18 * MIB, 0))
                .run(1)
                .findings())
        .isEmpty();
  }

  @Test
  void buffersInOutboundQueuesAndThoseOfTheApplicationAreNotUnread() {
    assertThat(
            with(
                    held(Place.OUTBOUND, "", 900 * MIB, 0),
                    held(Place.HINT, "cache", 900 * MIB, 0),
                    held(Place.NONE, "", 900 * MIB, 0))
                .run(60)
                .findings())
        .isEmpty();
  }

  @Test
  void aCacheOfWholeBuffersInAHandlerIsOfLowConfidence() {
    Finding found = with(held(Place.HANDLER, "com.shop.Cache", 900 * MIB, 0)).run(60).first();
    assertThat(found.kind()).isEqualTo(Kind.UNREAD_BODIES);
    assertThat(found.confidence()).isEqualTo(Confidence.LOW);
    assertThat(found.level()).isEqualTo(Level.NOTICE);
  }

  @Test
  void aHandlerWhoseSiteGrowsForTwentyMinutesIsLikely() {
    Simulated process = with(held(Place.HANDLER, "com.shop.Queue", 900 * MIB, 0));
    process.live =
        Reports.live(
            List.of(Reports.stack("direct", READ, 400, 950 * MIB)),
            List.of(new SiteTrend("direct", READ, MIB, 5 * MIB, Reports.NOON_MILLIS)));
    assertThat(process.run(1_200).first().confidence()).isEqualTo(Confidence.LOW);
    Finding found = process.run(1).first();
    assertThat(found.kind()).isEqualTo(Kind.UNREAD_BODIES);
    assertThat(found.confidence()).isEqualTo(Confidence.MEDIUM);
    assertThat(found.level()).isEqualTo(Level.WARNING);
  }

  @Test
  void dataOfOpenStreamsIsUnreadAndThatWhichWaitsToBeSentIsNot() {
    Simulated process = with(held(Place.HTTP2, HTTP2, 60 * MIB, 0));
    process.channels = second -> streams(2, 8, 10 * MIB, 50 * MIB);
    Finding found = process.run(1).first();
    assertThat(found.kind()).isEqualTo(Kind.UNREAD_BODIES);
    assertThat(found.confidence()).isEqualTo(Confidence.MEDIUM);
    assertThat(found.bytes()).isEqualTo(50 * MIB);
    process.channels = second -> streams(2, 8, 34 * MIB, 0);
    assertThat(process.run(1).findings()).isEmpty();
  }

  @Test
  void dataOfHttp2IsUnreadUpToTheCountOfOpenStreamsIfItIsKnown() {
    Simulated process = with(held(Place.HTTP2, HTTP2, 60 * MIB, 0));
    process.channels = second -> streams(2, 8, 0, 24 * MIB);
    assertThat(process.run(1).first().bytes()).isEqualTo(24 * MIB);
    process.channels = second -> streams(2, 8, 0, 24 * MIB - 1);
    assertThat(process.run(1).findings()).isEmpty();
    process.channels = second -> streams(2, 8, 0, Streams.UNKNOWN);
    assertThat(process.run(1).first().bytes()).isEqualTo(60 * MIB);
  }
}
