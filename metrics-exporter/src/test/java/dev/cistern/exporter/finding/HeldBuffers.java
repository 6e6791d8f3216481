/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import dev.cistern.exporter.Reports;
import dev.cistern.leak.report.HeldSite;
import dev.cistern.leak.report.HeldSite.Place;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.PinnedSite;
import dev.cistern.stats.ChannelReport;
import dev.cistern.stats.ChannelReport.Queue;
import dev.cistern.stats.ChannelReport.Shape;
import dev.cistern.stats.ChannelReport.StreamQueues;
import dev.cistern.stats.ChannelReport.Streams;
import java.util.Collections;
import java.util.List;

/** Channels, holders and slices of simulated processes. */
final class HeldBuffers {
  private static final long MIB = Simulated.MIB;
  static final String READ = "com.shop.Server.read:9";
  static final String HTTP2 = "io.grpc.netty.NettyServerHandler";
  static final String AGGREGATOR = "io.netty.handler.codec.http.HttpObjectAggregator";
  static final String HANDLERS = "HttpServerCodec#0, Download#0";

  private HeldBuffers() {}

  static LiveReport live(long bytes) {
    return Reports.live(List.of(Reports.stack("direct", READ, 400, bytes)), List.of());
  }

  static Queue queue(long bytes, long oldestMillis, boolean isWritable) {
    return new Queue(
        "3f2a",
        "/10.4.17.203:51432",
        HANDLERS,
        bytes,
        StreamQueues.NONE,
        oldestMillis,
        isWritable ? 0 : oldestMillis);
  }

  /** Returns a report of this number of equal channels. */
  static ChannelReport channels(int channels, Queue each) {
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

  /** Returns channels of HTTP/2 without failed calls. */
  static ChannelReport streams(long connections, long active, long pending, long unread) {
    return streams(connections, active, 0, pending, unread);
  }

  static ChannelReport streams(
      long connections, long active, long failed, long pending, long unread) {
    Streams streams = new Streams(connections, active, 1_204, failed, pending, unread);
    return new ChannelReport(connections, 0, pending, 0, 0, streams, List.of(), List.of());
  }

  static HeldSite held(Place place, String holder, double oldBytes, double lostBytes) {
    return heldAt(READ, place, holder, oldBytes, lostBytes);
  }

  static HeldSite heldAt(
      String site, Place place, String holder, double oldBytes, double lostBytes) {
    double bytes = oldBytes + MIB;
    return new HeldSite(
        "direct", site, place, holder, 64, bytes, oldBytes, lostBytes, Reports.NOON_MILLIS);
  }

  static PinnedSite slices(String site, long slices, long frame, boolean isCertain) {
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
}
