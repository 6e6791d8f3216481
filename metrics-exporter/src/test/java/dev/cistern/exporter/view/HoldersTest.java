/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.view;

import static org.assertj.core.api.Assertions.assertThat;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import dev.cistern.exporter.Fixtures;
import dev.cistern.exporter.Holders;
import dev.cistern.exporter.Reports;
import dev.cistern.exporter.page.ReportForm;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.PoolReport;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.stats.ChannelReport;
import dev.cistern.stats.ChannelReport.Streams;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Holders of live buffers, slices and outbound queues in texts, JSON and metrics. */
class HoldersTest {
  private static final PoolReport COPY = Reports.copy("io.netty", Reports.leaks());
  private static final HostReport REPORT = Reports.host(Holders.watched(COPY));
  private static final HostView OWN = HostView.withPeers(REPORT);

  private static String write(ReportForm form, HostView host, ReportOptions options)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    form.write(host, options, out);
    return out.toString(StandardCharsets.UTF_8);
  }

  private static JsonObject json(ReportOptions options) throws Exception {
    return JsonParser.object()
        .from(write(LiveJson::write, OWN, options))
        .getArray("pools")
        .getObject(0);
  }

  @Test
  void theTextListsHoldersBySiteThenSlicesThenQueues() throws Exception {
    assertThat(
            write(LiveText::write, OWN, ReportOptions.FOLDED)
                .replaceAll(" \\(hash [0-9a-f]{12}\\)", ""))
        .contains(
            """

              Held by:
                 18.0 MiB allocated by com.shop.Upload.read:17
                   12.0 MiB, held by HttpObjectAggregator (aggregator), 8 buffers of direct memory, oldest 40.0 s
                   6.0 MiB, held by Store (handler), 2 buffers of direct memory, oldest 1 min 30 s, 1.0 MiB garbage collected and never released
                 9.0 MiB allocated by com.shop.Feed.write:5, held by outbound queue, 3 buffers of direct memory, oldest 9.0 s
                 2.0 MiB allocated by com.shop.Cart.encode:42, held by com.shop.cart 7 (hint), 1 buffer of direct memory, oldest 1.0 s
                 1.0 MiB allocated by com.shop.Menu.render:11, not passed on, 1 buffer of direct memory, oldest 500 ms

              Pinned by slices:
                 12 slices of 64 B hold 48.0 MiB of direct memory: allocated by com.shop.Upload.read:17, last passed to Entries, oldest 1 min 1 s
                 2 slices of 64 B hold 4.0 KiB of heap memory: allocated by com.shop.Menu.render:11, oldest 1 min 1 s; code may hold the buffers too

              Outbound queues (26.0 MiB in 120 channels, 1 not writable; HTTP/2: 20 streams, 6.0 MiB wait for flow control, 1.0 MiB received and not consumed):
                 0a1b2c3d to /10.4.77.99:54321: 16.0 MiB, oldest up to 40.0 s, not writable for 39.0 s, handlers HttpServerCodec#0, com.shop.Chunks#0
                 5e6f7a8b to /[2001:db8:0:0:0:0:77:99]:443: 10.0 MiB, oldest up to 12.0 s, 20 streams with 6.0 MiB (most in stream 37: 4.0 MiB), handlers Http2FrameCodec#0, Http2MultiplexHandler#0
                 1 channel together: 16.0 MiB, largest 16.0 MiB, handlers HttpServerCodec#0, com.shop.Chunks#0
                 1 channel together: 10.0 MiB, largest 10.0 MiB, handlers Http2FrameCodec#0, Http2MultiplexHandler#0
            """);
  }

  @Test
  void theJsonHasWholeNamesAndPlainNumbers() throws Exception {
    JsonObject pool = json(ReportOptions.FOLDED);
    JsonObject held = pool.getArray("held").getObject(0);
    assertThat(pool.getArray("held")).hasSize(5);
    assertThat(held.getString("site")).isEqualTo(Holders.READ);
    assertThat(held.getString("holder"))
        .isEqualTo("io.netty.handler.codec.http.HttpObjectAggregator");
    assertThat(held.getString("place")).isEqualTo("aggregator");
    assertThat(held.getLong("bytes")).isEqualTo(12 << 20);
    assertThat(held.getLong("old_bytes")).isEqualTo(6 << 20);
    assertThat(held.getString("oldest")).isEqualTo(Json.time(Reports.live().timeMillis() - 40_000));
    JsonObject pinned = pool.getArray("pinned").getObject(0);
    assertThat(pinned.getLong("slices")).isEqualTo(12);
    assertThat(pinned.getLong("covered_bytes")).isEqualTo(768);
    assertThat(pinned.getBoolean("certain")).isTrue();
    JsonObject channel = pool.getArray("channels").getObject(0);
    assertThat(channel.getString("address")).isEqualTo(Holders.ADDRESS);
    assertThat(channel.getLong("pending_bytes")).isEqualTo(16 << 20);
    assertThat(channel.getLong("unwritable_millis")).isEqualTo(39_000);
    JsonObject shape = pool.getArray("channel_shapes").getObject(1);
    assertThat(shape.getLong("channels")).isOne();
    assertThat(shape.getLong("largest_bytes")).isEqualTo(10 << 20);
  }

  @Test
  void unreadBytesThatAreNotKnownAreLeftOut() throws Exception {
    ChannelReport known = Holders.channels();
    ChannelReport unknown =
        new ChannelReport(
            known.channels(),
            known.unwritable(),
            known.pendingBytes(),
            known.largestBytes(),
            known.notWatched(),
            new Streams(2, 20, 500, Streams.UNKNOWN, 6 << 20, Streams.UNKNOWN),
            known.largest(),
            known.shapes());
    HostReport report = Reports.host(Holders.with(COPY, LiveReport.EMPTY, unknown));
    assertThat(write(LiveText::write, HostView.of(report), ReportOptions.FULL))
        .contains("HTTP/2: 20 streams, 6.0 MiB wait for flow control)");
  }

  @Test
  void theFilterOfSitesAppliesToHoldersAndSlices() throws Exception {
    JsonObject pool = json(new ReportOptions(false, "Menu"));
    assertThat(pool.getArray("held")).hasSize(1);
    assertThat(pool.getArray("pinned")).hasSize(1);
    assertThat(write(LiveText::write, OWN, new ReportOptions(false, "Menu")))
        .doesNotContain(Holders.READ);
  }

  @Test
  void absentHoldersHaveNoSectionAndAnEmptyArray() throws Exception {
    HostView none = HostView.of(Reports.host(COPY));
    assertThat(write(LiveText::write, none, ReportOptions.FULL) + VerdictText.of(none))
        .doesNotContain("Held by", "Pinned by slices", "Outbound queues");
    JsonObject pool =
        JsonParser.object()
            .from(write(LiveJson::write, none, ReportOptions.FULL))
            .getArray("pools")
            .getObject(0);
    for (String array : List.of("held", "pinned", "channels", "channel_shapes")) {
      assertThat(pool.getArray(array)).as(array).isEqualTo(new JsonArray());
    }
  }

  @Test
  void theVerdictShowsTheFirstThreeOfEach() {
    assertThat(VerdictText.of(OWN))
        .contains(
            "\nHeld by, io.netty:\n",
            "HttpObjectAggregator (aggregator)",
            "   ... and 2 more\n",
            "\nPinned by slices, io.netty:\n   12 slices of 64 B hold 48.0 MiB",
            "\nOutbound queues, io.netty (26.0 MiB in 120 channels",
            "   0a1b2c3d to 10.4.*.*: 16.0 MiB")
        .doesNotContain("com.shop.cart 7", "77.99");
  }

  @Test
  void aNameThatTwoClassesShareStaysWhole() {
    ShortNames names = new ShortNames(List.of("a.Codec", "b.Codec", "b.Chunks$1", "Plain"));
    assertThat(List.of("a.Codec", "b.Codec", "b.Chunks$1", "Plain"))
        .extracting(names::of)
        .containsExactly("a.Codec", "b.Codec", "Chunks$1", "Plain");
  }

  @Test
  void aCopyHasMetricsIfItsChannelsAreWatched() {
    String pool = "pool=\"io.netty\"} ";
    assertThat(Fixtures.metrics(OWN))
        .containsPattern("cistern_outbound_pending_bytes[{].*" + pool + "2.7262976E7")
        .containsPattern("cistern_outbound_largest_pending_bytes[{].*" + pool + "1.6777216E7")
        .containsPattern("cistern_outbound_channels[{].*" + pool + "120.0")
        .containsPattern("cistern_outbound_unwritable_channels[{].*" + pool + "1.0")
        .containsPattern("cistern_outbound_channels_dropped_total[{].*" + pool + "3.0")
        .containsPattern("cistern_http2_streams[{].*" + pool + "20.0")
        .containsPattern("cistern_http2_pending_bytes[{].*" + pool + "6291456.0")
        .containsPattern("cistern_http2_unread_bytes[{].*" + pool + "1048576.0")
        .containsPattern("cistern_slice_pinned_bytes[{].*memory=\"direct\".*" + pool + "5.033088E7")
        .containsPattern("cistern_slice_pinned_bytes[{].*memory=\"heap\".*" + pool + "3968.0")
        .doesNotContain(Holders.READ, "0a1b2c3d", "Aggregator", "10.4.");
    assertThat(Fixtures.metrics(HostView.of(Reports.host(COPY))))
        .doesNotContain("cistern_outbound", "cistern_http2", "cistern_slice_pinned");
  }

  @Test
  void pendingBytesAreZeroIfNoWatchedChannelIsOpen() {
    ChannelReport idle = new ChannelReport(0, 0, 0, 0, 0, Streams.NONE, List.of(), List.of());
    PoolReport copy = Holders.with(COPY, LiveReport.EMPTY, idle);
    assertThat(Fixtures.metrics(HostView.of(Reports.host(copy))))
        .containsPattern("cistern_outbound_pending_bytes[{].*[}] 0.0");
  }
}
