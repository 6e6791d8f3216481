/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import static dev.cistern.exporter.finding.HeldBuffers.HANDLERS;
import static dev.cistern.exporter.finding.HeldBuffers.channels;
import static dev.cistern.exporter.finding.HeldBuffers.held;
import static dev.cistern.exporter.finding.HeldBuffers.heldAt;
import static dev.cistern.exporter.finding.HeldBuffers.live;
import static dev.cistern.exporter.finding.HeldBuffers.queue;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.exporter.Reports;
import dev.cistern.exporter.report.Finding;
import dev.cistern.exporter.report.Finding.Confidence;
import dev.cistern.exporter.report.Finding.Kind;
import dev.cistern.exporter.report.Finding.Level;
import dev.cistern.leak.report.HeldSite.Place;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.stats.ChannelReport;
import dev.cistern.stats.ChannelReport.Queue;
import dev.cistern.stats.ChannelReport.StreamQueues;
import dev.cistern.stats.ChannelReport.Streams;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Peers that read more slowly than the application writes. */
class SlowConsumerRuleTest {
  private static final long MIB = Simulated.MIB;

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
        .isEqualTo("Peers read more slowly than the application writes: 200.0 MiB wait to be sent");
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
    with(4, queue(8 * MIB - 1, 15_000, false)).assertNoneOf(Kind.SLOW_CONSUMER);
    assertThat(with(1, queue(16 * MIB, 15_000, false)).run(1).first().kind())
        .isEqualTo(Kind.SLOW_CONSUMER);
    with(1, queue(16 * MIB - 1, 15_000, false)).assertNoneOf(Kind.SLOW_CONSUMER);
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

  /** Writers stop near the high-water mark, and channels stay there. */
  @Test
  void writersThatRespectTheWritabilityOfSlowChannelsAreHealthy() {
    assertThat(with(600, queue(64 << 10, 60_000, false)).run(120).findings()).isEmpty();
    with(600, queue(MIB - 1, 60_000, false)).assertNoneOf(Kind.SLOW_CONSUMER);
  }

  @Test
  void aFlushIsHealthy() {
    Simulated process = new Simulated();
    process.live = live(4_096 * MIB);
    process.channels =
        second -> channels(1, queue(second % 20 < 9 ? 200 * MIB : 0, second % 20 * 1_000L, false));
    for (int i = 0; i < 60; i++) {
      assertThat(process.run(1).findings()).isEmpty();
    }
  }

  @Test
  void bytesThatWaitInAWritableChannelAreTheWritersChoice() {
    with(4, queue(50 * MIB, 60_000, true)).assertNoneOf(Kind.SLOW_CONSUMER);
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
    process.assertNoneOf(Kind.SLOW_CONSUMER);
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
    process.live = LiveReport.EMPTY; // unknown
    assertThat(process.run(1).first().bytes()).isEqualTo(1_000 * MIB);
  }

  /** Each peer is disconnected after 20 s, and another peer replaces it. */
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
