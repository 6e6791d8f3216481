/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import dev.cistern.exporter.report.PoolReport;
import dev.cistern.leak.report.HeldSite;
import dev.cistern.leak.report.HeldSite.Place;
import dev.cistern.leak.report.LiveDetail;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.PinnedSite;
import dev.cistern.stats.ChannelReport;
import dev.cistern.stats.ChannelReport.Queue;
import dev.cistern.stats.ChannelReport.Shape;
import dev.cistern.stats.ChannelReport.StreamQueues;
import dev.cistern.stats.ChannelReport.Streams;
import dev.cistern.stats.NettyReport;
import java.util.List;

/** A copy with watched channels, whose live buffers have known holders. */
public final class Holders {
  /** Site whose buffers have two holders. */
  public static final String READ = "com.shop.Upload.read:17";

  /** An address. Only trusted clients may see its last two numbers. */
  public static final String ADDRESS = "/10.4.77.99:54321";

  private static final long LIVE_MILLIS = Reports.live().timeMillis();
  private static final String AGGREGATOR = "io.netty.handler.codec.http.HttpObjectAggregator";
  private static final String HTTP = "HttpServerCodec#0, com.shop.Chunks#0";
  private static final String HTTP2 = "Http2FrameCodec#0, Http2MultiplexHandler#0";

  private Holders() {}

  /** Returns the same copy with channels and holders. */
  public static PoolReport watched(PoolReport copy) {
    LiveReport live = copy.live();
    LiveDetail detail = new LiveDetail(List.of(), List.of(), held(), pinned(), 0, 0);
    return with(
        copy,
        new LiveReport(
            LIVE_MILLIS,
            live.intervalBytes(),
            live.stacks(),
            live.trends(),
            live.trendsDropped(),
            detail),
        channels());
  }

  /** Returns the same copy with other live buffers and channels. */
  public static PoolReport with(PoolReport copy, LiveReport live, ChannelReport channels) {
    NettyReport netty = copy.netty();
    return new PoolReport(
        copy.pool(),
        copy.version(),
        copy.mode(),
        copy.reason(),
        copy.pools(),
        copy.served(),
        copy.fellBack(),
        copy.failures(),
        copy.leaks(),
        live,
        new NettyReport(
            netty.allocators(),
            netty.dropped(),
            netty.inventory(),
            netty.direct(),
            netty.directMemory(),
            channels),
        copy.modeChange(),
        copy.lifetimes());
  }

  private static List<HeldSite> held() {
    return List.of(
        held(READ, Place.AGGREGATOR, AGGREGATOR, 8, 12 << 20, 0, 40_000),
        held("com.shop.Feed.write:5", Place.OUTBOUND, "", 3, 9 << 20, 0, 9_000),
        held(READ, Place.HANDLER, "com.shop.upload.Store", 2, 6 << 20, 1 << 20, 90_000),
        held("com.shop.Cart.encode:42", Place.HINT, "com.shop.cart 7", 1, 2 << 20, 0, 1_000),
        held("com.shop.Menu.render:11", Place.NONE, "", 1, 1 << 20, 0, 500));
  }

  private static HeldSite held(
      String site, Place place, String holder, int buffers, int bytes, int lost, long ageMillis) {
    return new HeldSite(
        "direct",
        site,
        place,
        holder,
        buffers + 0.3,
        bytes + 0.3,
        bytes / 2.0,
        lost,
        LIVE_MILLIS - ageMillis);
  }

  private static List<PinnedSite> pinned() {
    long since = LIVE_MILLIS - 61_000;
    String cache = "com.shop.cache.Entries";
    return List.of(
        new PinnedSite("direct", READ, cache, 48, 48 << 20, 768, 12, true, since),
        new PinnedSite("heap", "com.shop.Menu.render:11", "", 2, 4096, 128, 2, false, since));
  }

  /** Returns 120 channels, two of them with many pending bytes. */
  public static ChannelReport channels() {
    return new ChannelReport(
        120,
        1,
        26 << 20,
        16 << 20,
        3,
        new Streams(2, 20, 500, 30, 6 << 20, 1 << 20),
        List.of(
            new Queue("0a1b2c3d", ADDRESS, HTTP, 16 << 20, StreamQueues.NONE, 40_000, 39_000),
            new Queue(
                "5e6f7a8b",
                "/[2001:db8:0:0:0:0:77:99]:443",
                HTTP2,
                10 << 20,
                new StreamQueues(20, 6 << 20, 2, 37, 4 << 20),
                12_000,
                0)),
        List.of(new Shape(HTTP, 1, 16 << 20, 16 << 20), new Shape(HTTP2, 1, 10 << 20, 10 << 20)));
  }
}
