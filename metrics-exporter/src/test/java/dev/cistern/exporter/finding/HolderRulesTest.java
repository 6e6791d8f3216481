/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.cistern.exporter.Reports;
import dev.cistern.exporter.report.Finding;
import dev.cistern.exporter.report.Finding.Confidence;
import dev.cistern.exporter.report.Finding.Kind;
import dev.cistern.exporter.report.Finding.Level;
import dev.cistern.leak.report.HeldSite;
import dev.cistern.leak.report.HeldSite.Place;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.PinnedSite;
import dev.cistern.leak.report.SiteTrend;
import dev.cistern.stats.ChannelReport;
import dev.cistern.stats.ChannelReport.Queue;
import dev.cistern.stats.ChannelReport.Shape;
import dev.cistern.stats.ChannelReport.StreamQueues;
import dev.cistern.stats.ChannelReport.Streams;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Rules about the present holders of buffers: queues, handlers, slices and calls that ended. */
class HolderRulesTest {
  private static final long MIB = Simulated.MIB;
  private static final String READ = "com.shop.Server.read:9";
  private static final String HTTP2 = "io.grpc.netty.NettyServerHandler";
  private static final String AGGREGATOR = "io.netty.handler.codec.http.HttpObjectAggregator";
  private static final String HANDLERS = "HttpServerCodec#0, Download#0";

  private static LiveReport live(long bytes) {
    return Reports.live(List.of(Reports.stack("direct", READ, 400, bytes)), List.of());
  }

  private static Queue queue(long bytes, long oldestMillis, boolean isWritable) {
    return new Queue(
        "3f2a",
        "/10.4.17.203:51432",
        HANDLERS,
        bytes,
        StreamQueues.NONE,
        oldestMillis,
        isWritable ? 0 : oldestMillis);
  }

  /** As many channels that are alike. */
  private static ChannelReport channels(int channels, Queue each) {
    int known = Math.min(channels, ChannelReport.MAX_LARGEST);
    long pending = channels * each.pendingBytes();
    return new ChannelReport(
        channels,
        each.unwritableMillis() > 0 ? channels : 0,
        pending,
        each.pendingBytes(),
        0,
        Streams.NONE,
        Collections.nCopies(known, each),
        List.of(new Shape(each.handlers(), channels, pending, each.pendingBytes())));
  }

  /** Channels of HTTP/2 without failed calls. */
  private static ChannelReport streams(long connections, long active, long pending, long unread) {
    return streams(connections, active, 0, pending, unread);
  }

  private static ChannelReport streams(
      long connections, long active, long failed, long pending, long unread) {
    Streams streams = new Streams(connections, active, 1_204, failed, pending, unread);
    return new ChannelReport(connections, 0, pending, 0, 0, streams, List.of(), List.of());
  }

  private static HeldSite held(Place place, String holder, double oldBytes, double lostBytes) {
    return heldAt(READ, place, holder, oldBytes, lostBytes);
  }

  private static HeldSite heldAt(
      String site, Place place, String holder, double oldBytes, double lostBytes) {
    double bytes = oldBytes + MIB;
    return new HeldSite(
        "direct", site, place, holder, 64, bytes, oldBytes, lostBytes, Reports.NOON_MILLIS);
  }

  private static PinnedSite slices(String site, long slices, long frame, boolean isCertain) {
    return new PinnedSite(
        "direct",
        site,
        "com.shop.Cache",
        slices,
        slices * (double) frame,
        slices * 64.0,
        slices,
        isCertain,
        Reports.NOON_MILLIS);
  }

  private static void assertNoneOf(Simulated process, Kind kind) {
    assertThat(process.run(1).findings()).extracting(Finding::kind).doesNotContain(kind);
  }

  /** Peers that read more slowly than the application writes. */
  @Nested
  class SlowConsumers {
    private Simulated with(int channels, Queue each) {
      Simulated process = new Simulated();
      process.live = live(4_096 * MIB);
      process.channels = second -> channels(channels, each);
      return process;
    }

    @Test
    void aChannelThatIsNotWritableIsLikelyAfterTenSecondsAndCertainAfterThirty() {
      Simulated process = new Simulated();
      process.live = live(4_096 * MIB);
      process.channels = second -> channels(4, queue(50 * MIB, 1_000L * second, false));
      assertThat(process.run(10).findings()).isEmpty();
      Finding early = process.run(1).first();
      assertThat(early.kind()).isEqualTo(Kind.SLOW_CONSUMER);
      assertThat(early.level()).isEqualTo(Level.WARNING);
      assertThat(early.confidence()).isEqualTo(Confidence.MEDIUM);
      assertThat(process.run(19).first().confidence()).isEqualTo(Confidence.MEDIUM);
      Finding late = process.run(1).first();
      assertThat(late.confidence()).isEqualTo(Confidence.HIGH);
      assertThat(late.bytes()).isEqualTo(200 * MIB);
      assertThat(late.sinceMillis()).isEqualTo(Reports.NOON_MILLIS);
      assertThat(late.what())
          .isEqualTo(
              "Peers read more slowly than the application writes: 200.0 MiB wait to be sent");
      assertThat(late.evidence())
          .containsExactly(
              "200.0 MiB are pending in 4 channels, 200.0 MiB of them in 4 with the handlers "
                  + HANDLERS,
              "the largest is 3f2a to 10.4.*.* with 50.0 MiB: the oldest byte waits up to 30.0 s,"
                  + " not writable for 30.0 s");
      assertThat(late.next()).contains("Download#0");
    }

    @Test
    void thirtyTwoMebibytesInAllOrSixteenInOneChannelAreMuch() {
      assertThat(with(4, queue(8 * MIB, 15_000, false)).run(1).first().confidence())
          .isEqualTo(Confidence.MEDIUM);
      assertNoneOf(with(4, queue(8 * MIB - 1, 15_000, false)), Kind.SLOW_CONSUMER);
      assertThat(with(1, queue(16 * MIB, 15_000, false)).run(1).first().kind())
          .isEqualTo(Kind.SLOW_CONSUMER);
      assertNoneOf(with(1, queue(16 * MIB - 1, 15_000, false)), Kind.SLOW_CONSUMER);
    }

    @Test
    void manySlowChannelsBeyondTheReportedOnesAreFound() {
      Finding found = with(1_000, queue(MIB, 40_000, false)).run(1).first();
      assertThat(found.kind()).isEqualTo(Kind.SLOW_CONSUMER);
      assertThat(found.confidence()).isEqualTo(Confidence.HIGH);
      assertThat(found.bytes()).isEqualTo(1_000 * MIB);
    }

    @Test
    void aBusyProxyIsHealthy() {
      assertThat(with(4_000, queue(100 << 10, 9_999, false)).run(120).findings()).isEmpty();
    }

    /** They stop near the high-water mark, and stay there. */
    @Test
    void writersThatRespectTheWritabilityOfSlowChannelsAreHealthy() {
      assertThat(with(600, queue(64 << 10, 60_000, false)).run(120).findings()).isEmpty();
      assertNoneOf(with(600, queue(MIB - 1, 60_000, false)), Kind.SLOW_CONSUMER);
    }

    @Test
    void aFlushIsHealthy() {
      Simulated process = new Simulated();
      process.live = live(4_096 * MIB);
      process.channels =
          second ->
              channels(1, queue(second % 20 < 9 ? 200 * MIB : 0, second % 20 * 1_000L, false));
      for (int i = 0; i < 60; i++) {
        assertThat(process.run(1).findings()).isEmpty();
      }
    }

    @Test
    void bytesThatWaitInAWritableChannelAreTheWritersChoice() {
      assertNoneOf(with(4, queue(50 * MIB, 60_000, true)), Kind.SLOW_CONSUMER);
    }

    @Test
    void mostOfTheBytesMustHaveWaited() {
      Simulated process = new Simulated();
      process.live = live(4_096 * MIB);
      List<Queue> queues = new ArrayList<>();
      queues.add(queue(15 * MIB, 60_000, false));
      queues.add(queue(16 * MIB, 2_000, false));
      queues.add(queue(7 * MIB, 2_000, false));
      process.channels =
          second -> new ChannelReport(3, 3, 38 * MIB, 16 * MIB, 0, Streams.NONE, queues, List.of());
      assertNoneOf(process, Kind.SLOW_CONSUMER);
      queues.set(2, queue(7 * MIB, 60_000, false));
      assertThat(process.run(1).first().kind()).isEqualTo(Kind.SLOW_CONSUMER);
    }

    @Test
    void theFlowControlOfHttp2KeepsBytesOfAChannelThatIsWritable() {
      UnaryOperator<Queue> withStreams =
          each ->
              new Queue(
                  "5c",
                  "",
                  "h2",
                  each.pendingBytes(),
                  new StreamQueues(3, 90 * MIB, 2, 7, 60 * MIB),
                  each.oldestMillis(),
                  0);
      Finding found = with(1, withStreams.apply(queue(100 * MIB, 40_000, true))).run(1).first();
      assertThat(found.kind()).isEqualTo(Kind.SLOW_CONSUMER);
      assertThat(found.confidence()).isEqualTo(Confidence.HIGH);
      assertThat(found.evidence())
          .contains(
              "the largest is 5c with 100.0 MiB: the oldest byte waits up to 40.0 s",
              "90.0 MiB of it wait for the flow control of HTTP/2, of 3 open streams; stream 7 has"
                  + " 60.0 MiB");
    }

    @Test
    void channelsThatShareMessagesExplainNoMoreThanIsLive() {
      Simulated process = with(1_000, queue(MIB, 40_000, false));
      process.live = live(20 * MIB);
      Finding found = process.run(1).first();
      assertThat(found.bytes()).isEqualTo(20 * MIB);
      assertThat(found.what()).contains("1000.0 MiB wait to be sent");
      assertThat(found.evidence())
          .anyMatch(text -> text.startsWith("20.0 MiB of buffers are live: channels share"));
      process.live = LiveReport.EMPTY; // not known
      assertThat(process.run(1).first().bytes()).isEqualTo(1_000 * MIB);
    }

    /** Each peer is cut off after 20 s, and the next one takes its place. */
    @Test
    void bytesThatGrowForHalfAMinuteAreCertainAlthoughNoChannelHasWaitedForAsLong() {
      Simulated process = new Simulated();
      process.live = live(4_096 * MIB);
      process.channels = second -> channels(4, queue((1 + second) * MIB, 12_000, false));
      assertThat(process.run(30).first().confidence()).isEqualTo(Confidence.MEDIUM);
      assertThat(process.run(10).first().confidence()).isEqualTo(Confidence.HIGH);
    }

    @Test
    void theSiteIsThatOfTheBuffersInTheQueues() {
      Simulated process = with(4, queue(50 * MIB, 40_000, false));
      process.held =
          second ->
              List.of(
                  held(Place.HANDLER, "com.shop.Cache", 900 * MIB, 0),
                  heldAt("com.shop.Feed.send:7", Place.OUTBOUND, "", 200 * MIB, 0));
      assertThat(process.run(1).find(Kind.SLOW_CONSUMER).site()).isEqualTo("com.shop.Feed.send:7");
    }
  }

  /** Received data that the application has not consumed. */
  @Nested
  class UnreadBodies {
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
      assertThat(with(held(Place.AGGREGATOR, AGGREGATOR, 20 * MIB, 0)).run(60).findings())
          .isEmpty();
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

  /** Large buffers that only small slices keep. */
  @Nested
  class PinnedBySlices {
    private Simulated with(PinnedSite... sites) {
      Simulated process = new Simulated();
      process.slices = second -> List.of(sites);
      return process;
    }

    @Test
    void slicesOfFramesAreCertainFrom32Mebibytes() {
      Finding found = with(slices(READ, 48, MIB, true)).run(1).first();
      assertThat(found.kind()).isEqualTo(Kind.PINNED_BY_SLICES);
      assertThat(found.confidence()).isEqualTo(Confidence.HIGH);
      assertThat(found.level()).isEqualTo(Level.WARNING);
      assertThat(found.site()).isEqualTo(READ);
      assertThat(found.bytes()).isEqualTo(48 * MIB - 48 * 64);
      assertThat(found.what())
          .isEqualTo("Slices keep buffers of " + READ + ": 48 slices of 64 B hold 48.0 MiB");
      assertThat(found.evidence().get(0)).startsWith("certain:");
      assertThat(found.evidence().get(1)).endsWith("last passed to com.shop.Cache");
    }

    @Test
    void slicesThatShareTheCountOfTheirBufferAreANotice() {
      Finding found = with(slices(READ, 900, MIB, false)).run(1).first();
      assertThat(found.kind()).isEqualTo(Kind.PINNED_BY_SLICES);
      assertThat(found.level()).isEqualTo(Level.NOTICE);
      assertThat(found.confidence()).isEqualTo(Confidence.LOW);
      assertThat(found.evidence().get(0)).endsWith("looks the same");
    }

    /** A cache keeps whole frames and a slice of the header of each. */
    @Test
    void framesThatAreKeptWithAHeaderSliceAreANotice() {
      Simulated process = with(slices(READ, 200, MIB, false));
      process.held = second -> List.of(held(Place.HANDLER, "com.shop.Cache", 200 * MIB, 0));
      assertThat(process.run(60).findings())
          .isNotEmpty()
          .allMatch(found -> found.level() == Level.NOTICE);
    }

    @Test
    void aWarningIsAboutCertainSitesOnly() {
      Finding found =
          with(slices("com.shop.A.read:1", 24, MIB + 64, true), slices(READ, 48, MIB, false))
              .run(1)
              .first();
      assertThat(found.level()).isEqualTo(Level.WARNING);
      assertThat(found.confidence()).isEqualTo(Confidence.MEDIUM);
      assertThat(found.bytes()).isEqualTo(24 * MIB);
      assertThat(found.site()).isEqualTo("com.shop.A.read:1");
      Finding less =
          with(slices("com.shop.A.read:1", 23, MIB, true), slices(READ, 20, MIB, false))
              .run(1)
              .first();
      assertThat(less.level()).isEqualTo(Level.NOTICE);
      assertThat(less.bytes()).isEqualTo(43 * MIB - 43 * 64);
      assertThat(less.evidence().get(0)).endsWith("looks the same");
    }

    @Test
    void twentyFourMebibytesWithoutTheSlicesAreMuch() {
      PinnedSite exact =
          new PinnedSite("direct", READ, "", 1, 32 * MIB, 8 * MIB, 1, true, Reports.NOON_MILLIS);
      assertThat(with(exact).run(1).first().confidence()).isEqualTo(Confidence.MEDIUM);
      PinnedSite less =
          new PinnedSite(
              "direct", READ, "", 1, 32 * MIB, 8 * MIB + 1, 1, true, Reports.NOON_MILLIS);
      assertThat(with(less).run(1).findings()).isEmpty();
    }

    @Test
    void aPartOfWhatItsHolderKeepsIsNotTheMainCause() {
      Simulated process = with(slices(READ, 48, MIB, true));
      process.held = second -> List.of(held(Place.HANDLER, "com.shop.Cache", 95 * MIB, 0));
      assertThat(process.run(1).first().confidence()).isEqualTo(Confidence.HIGH);
      process.held = second -> List.of(held(Place.HANDLER, "com.shop.Cache", 97 * MIB, 0));
      assertThat(process.run(1).findings())
          .filteredOn(found -> found.kind() == Kind.PINNED_BY_SLICES)
          .extracting(Finding::confidence, Finding::level)
          .containsExactly(tuple(Confidence.LOW, Level.NOTICE));
    }

    @Test
    void sitesAddUpAndTheLargestIsNamedFirst() {
      Finding found =
          with(slices("com.shop.A.read:1", 12, MIB, true), slices(READ, 24, MIB, true))
              .run(1)
              .first();
      assertThat(found.site()).isEqualTo(READ);
      assertThat(found.bytes()).isEqualTo(36 * MIB - 36 * 64);
      assertThat(found.confidence()).isEqualTo(Confidence.HIGH);
      assertThat(found.evidence())
          .contains("12 slices of 64 B hold 12.0 MiB, allocated by com.shop.A.read:1");
    }
  }

  /** Received data of calls that were cancelled or failed. */
  @Nested
  class OrphanedByCancel {
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
      Streams none = new Streams(2, 3, 0, 0, 0, 0); // none of none
      assertThat(
              with(new ChannelReport(2, 0, 0, 0, 0, none, List.of(), List.of()), kept)
                  .run(1)
                  .findings())
          .isEmpty();
    }

    @Test
    void dataOfOpenStreamsIsTakenOff() {
      Finding found =
          with(streams(2, 3, 200, 0, 4 * MIB), held(Place.HTTP2, HTTP2, 40 * MIB, 0))
              .run(1)
              .first();
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
      assertNoneOf(
          with(streams(2, 8, 900, 0, 60 * MIB), held(Place.HTTP2, HTTP2, 70 * MIB, 0)),
          Kind.ORPHANED_BY_CANCEL);
      assertNoneOf(
          with(streams(2, 8, 900, 60 * MIB, 0), held(Place.HTTP2, HTTP2, 70 * MIB, 0)),
          Kind.ORPHANED_BY_CANCEL);
    }

    /** 500 MiB are estimated from a thousand samples. */
    @Test
    void theErrorOfAnEstimateIsNotOrphaned() {
      assertNoneOf(
          with(streams(40, 800, 900, 0, 500 * MIB), held(Place.HTTP2, HTTP2, 530 * MIB, 0)),
          Kind.ORPHANED_BY_CANCEL);
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
      Finding found =
          with(streams(2, 0, 0, 0), held(Place.HTTP2, HTTP2, 32 * MIB, 0)).run(1).first();
      assertThat(found.what())
          .isEqualTo("Received data was not released after its streams had ended: 32.0 MiB");
      assertThat(found.evidence())
          .containsExactly(
              "32.0 MiB are older than 10 s, and open streams have 0 B of them; 0 of 1,204 streams"
                  + " are open",
              "held by " + HTTP2 + " (HTTP/2 connection) of io.netty",
              "allocated by " + READ + " (33.0 MiB)");
      assertThat(
              with(streams(2, 0, 0, 0), held(Place.HTTP2, HTTP2, 32 * MIB - 1, 0))
                  .run(1)
                  .findings())
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
              // channels that found no place may have open streams
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

  /** The holder is ranked before what merely follows from it. */
  @Nested
  class Ranking {
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
              Kind.SLOW_CONSUMER,
              Kind.UNREAD_BODIES,
              Kind.PINNED_BY_SLICES,
              Kind.ORPHANED_BY_CANCEL);
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
    void aJavaHeapFollowsThatTheyFillAndNoOther() {
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
    void directBuffersOutsideOfPoolsFollowThatTheyAreAndNoOthers() {
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
}
