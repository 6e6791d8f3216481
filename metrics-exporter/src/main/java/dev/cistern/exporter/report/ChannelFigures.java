/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

import dev.cistern.exporter.schema.Detail;
import dev.cistern.exporter.schema.Figure;
import dev.cistern.exporter.schema.Row;
import dev.cistern.exporter.schema.Scope;
import dev.cistern.exporter.schema.Text;
import dev.cistern.stats.ChannelReport;
import dev.cistern.stats.ChannelReport.Queue;
import dev.cistern.stats.ChannelReport.Shape;
import dev.cistern.stats.ChannelReport.StreamQueues;
import dev.cistern.stats.ChannelReport.Streams;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Figures of the channels of a copy. Single channels and shapes have rows, but no series. Addresses
 * of peers are masked in rows.
 */
public final class ChannelFigures {
  /** Maximum number of rows of a copy. A file with more is refused. */
  private static final int MAX_ROWS = 64;

  /** A channel with pending bytes. */
  public static final Scope<Ranked<Queue>> CHANNEL =
      CopyFigures.COPY
          .child(8, "channels", MAX_ROWS, copy -> Ranked.of(copy.netty().channels().largest()))
          .detail(Detail.ROWS)
          .label("rank", Ranked::label);

  /** Channels with the same handlers. */
  public static final Scope<Ranked<Shape>> SHAPE =
      CopyFigures.COPY
          .child(9, "channel_shapes", MAX_ROWS, copy -> Ranked.of(copy.netty().channels().shapes()))
          .detail(Detail.ROWS)
          .label("rank", Ranked::label);

  /** Bytes in the outbound queues of channels. */
  public static final Figure<PoolReport> PENDING_BYTES =
      gauge(30, "cistern_outbound_pending_bytes", ChannelReport::pendingBytes)
          .help(
              "Current bytes of data that the application has written and channels have not sent.")
          .kept();

  private static final Figure<PoolReport> LARGEST_BYTES =
      gauge(31, "cistern_outbound_largest_pending_bytes", ChannelReport::largestBytes)
          .help("Current bytes of cistern_outbound_pending_bytes in the channel with the most.");

  private static final Figure<PoolReport> CHANNELS =
      gauge(32, "cistern_outbound_channels", ChannelReport::channels)
          .help("Current number of open channels that are known.");

  private static final Figure<PoolReport> UNWRITABLE =
      gauge(33, "cistern_outbound_unwritable_channels", ChannelReport::unwritable)
          .help("Current number of known open channels that are not writable.");

  private static final Figure<PoolReport> DROPPED =
      CopyFigures.COPY
          .counter(
              34, "cistern_outbound_channels_dropped_total", ifWatched(ChannelReport::notWatched))
          .help(
              "Number of channel registrations refused since start because too many channels were"
                  + " known.");

  private static final Figure<PoolReport> STREAMS =
      http2(35, "cistern_http2_streams", channels -> channels.streams().active())
          .help("Current number of open HTTP/2 streams of the known channels.");

  private static final Figure<PoolReport> STREAM_BYTES =
      http2(36, "cistern_http2_pending_bytes", channels -> channels.streams().pendingBytes())
          .help(
              "Current bytes of cistern_outbound_pending_bytes that wait for HTTP/2 flow control.");

  private static final Figure<PoolReport> UNREAD_BYTES =
      http2(37, "cistern_http2_unread_bytes", channels -> known(channels.streams().unreadBytes()))
          .help(
              "Current bytes of data received on open HTTP/2 streams that the application has not"
                  + " consumed.");

  private static final Figure<PoolReport> CONNECTIONS =
      gauge(38, "cistern_http2_connections", channels -> channels.streams().connections())
          .help("Current number of known open channels with HTTP/2.")
          .internal();

  private static final Figure<PoolReport> OPENED =
      gauge(39, "cistern_http2_opened_streams", channels -> channels.streams().opened())
          .help(
              "Number of HTTP/2 streams opened on the open channels since the start of each"
                  + " channel.")
          .internal();

  private static final Figure<PoolReport> FAILED =
      gauge(40, "cistern_http2_failed_calls", channels -> known(channels.streams().failed()))
          .help(
              "Number of gRPC calls on the open channels that ended without success since the start"
                  + " of each channel.")
          .internal();

  private static final Figure<Ranked<Queue>> QUEUE_BYTES =
      CHANNEL
          .gauge(1, "cistern_channel_pending_bytes", each -> each.thing().pendingBytes())
          .help("Current bytes of pending data in one channel.");

  private static final Figure<Ranked<Queue>> QUEUE_STREAM_BYTES =
      CHANNEL
          .gauge(2, "cistern_channel_stream_bytes", each -> each.thing().streams().pendingBytes())
          .help(
              "Current bytes of cistern_channel_pending_bytes that wait for HTTP/2 flow control.");

  private static final Figure<Ranked<Queue>> QUEUE_STREAMS =
      CHANNEL
          .gauge(3, "cistern_channel_streams", each -> each.thing().streams().active())
          .help("Current number of open HTTP/2 streams of the channel.");

  private static final Figure<Ranked<Queue>> WAITING_STREAMS =
      CHANNEL
          .gauge(6, "cistern_channel_waiting_streams", each -> each.thing().streams().waiting())
          .help("Current number of HTTP/2 streams with bytes that wait for flow control.");

  private static final Figure<Ranked<Queue>> LARGEST_STREAM =
      CHANNEL
          .gauge(7, "cistern_channel_largest_stream", each -> each.thing().streams().largest())
          .help("ID of the HTTP/2 stream with the most bytes that wait for flow control.");

  private static final Figure<Ranked<Queue>> LARGEST_STREAM_BYTES =
      CHANNEL
          .gauge(
              8,
              "cistern_channel_largest_stream_bytes",
              each -> each.thing().streams().largestBytes())
          .help("Current bytes of that stream that wait for flow control.");

  private static final Figure<Ranked<Queue>> OLDEST =
      CHANNEL
          .gauge(4, "cistern_channel_oldest_age_seconds", each -> each.thing().oldestMillis())
          .help("Upper bound of the age of the oldest pending bytes of the channel.");

  private static final Figure<Ranked<Queue>> UNWRITABLE_TIME =
      CHANNEL
          .gauge(5, "cistern_channel_unwritable_seconds", each -> each.thing().unwritableMillis())
          .help("Time since the channel became unwritable; 0 if it is writable.");

  private static final Text<Ranked<Queue>> ID =
      CHANNEL.text(1, "id", "short name of the channel", each -> each.thing().id());

  private static final Text<Ranked<Queue>> ADDRESS =
      CHANNEL.text(
          2,
          "address",
          "masked address of the peer",
          each -> PeerAddress.masked(each.thing().remoteAddress()));

  private static final Text<Ranked<Queue>> HANDLERS =
      CHANNEL.text(3, "handlers", "handlers of the pipeline", each -> each.thing().handlers());

  private static final Figure<Ranked<Shape>> SHAPE_CHANNELS =
      SHAPE
          .gauge(1, "cistern_shape_channels", each -> each.thing().channels())
          .help("Current number of channels with pending bytes and the same handlers.");

  private static final Figure<Ranked<Shape>> SHAPE_BYTES =
      SHAPE
          .gauge(2, "cistern_shape_pending_bytes", each -> each.thing().pendingBytes())
          .help("Current bytes of pending data in these channels.");

  private static final Figure<Ranked<Shape>> SHAPE_LARGEST_BYTES =
      SHAPE
          .gauge(3, "cistern_shape_largest_pending_bytes", each -> each.thing().largestBytes())
          .help("Current bytes of cistern_shape_pending_bytes in the channel with the most.");

  private static final Text<Ranked<Shape>> SHAPE_HANDLERS =
      SHAPE.text(1, "handlers", "handlers of the pipelines", each -> each.thing().handlers());

  private ChannelFigures() {}

  private static Figure<PoolReport> gauge(
      int number, String name, ToLongFunction<ChannelReport> reader) {
    return CopyFigures.COPY.gauge(number, name, ifWatched(reader));
  }

  /** Declares a figure of HTTP/2, which is absent without a connection. */
  private static Figure<PoolReport> http2(
      int number, String name, ToLongFunction<ChannelReport> reader) {
    return gauge(
        number,
        name,
        channels ->
            channels.streams().connections() == 0 ? Figure.ABSENT : reader.applyAsLong(channels));
  }

  private static ToLongFunction<PoolReport> ifWatched(ToLongFunction<ChannelReport> reader) {
    return copy -> isWatched(copy) ? reader.applyAsLong(copy.netty().channels()) : Figure.ABSENT;
  }

  private static long known(long value) {
    return value == Streams.UNKNOWN ? Figure.ABSENT : value;
  }

  private static long orUnknown(Row copy, Figure<PoolReport> figure) {
    long value = copy.get(figure);
    return value == Figure.ABSENT ? Streams.UNKNOWN : value;
  }

  /** Returns whether the channels of a copy are watched, even if there is none at the moment. */
  @SuppressWarnings("ReferenceEquality") // a report without channels equals NONE
  static boolean isWatched(PoolReport copy) {
    return copy.netty().channels() != ChannelReport.NONE;
  }

  /**
   * Returns the channels of a copy.
   *
   * @param peers addresses of the peers by row; empty if only the masked ones are known
   */
  static ChannelReport report(Row copy, List<String> peers) {
    if (copy.get(PENDING_BYTES) == Figure.ABSENT) {
      return ChannelReport.NONE;
    }
    List<Row> rows = copy.rows(CHANNEL);
    List<Queue> largest = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      largest.add(queue(rows.get(i), i < peers.size() ? peers.get(i) : rows.get(i).get(ADDRESS)));
    }
    return new ChannelReport(
        copy.orZero(CHANNELS),
        copy.orZero(UNWRITABLE),
        copy.orZero(PENDING_BYTES),
        copy.orZero(LARGEST_BYTES),
        copy.orZero(DROPPED),
        streams(copy),
        largest,
        copy.rows(SHAPE).stream().map(ChannelFigures::shape).toList());
  }

  private static Streams streams(Row copy) {
    return copy.orZero(CONNECTIONS) == 0
        ? Streams.NONE
        : new Streams(
            copy.orZero(CONNECTIONS),
            copy.orZero(STREAMS),
            copy.orZero(OPENED),
            orUnknown(copy, FAILED),
            copy.orZero(STREAM_BYTES),
            orUnknown(copy, UNREAD_BYTES));
  }

  private static Queue queue(Row row, String address) {
    return new Queue(
        row.get(ID),
        address,
        row.get(HANDLERS),
        row.orZero(QUEUE_BYTES),
        new StreamQueues(
            row.orZero(QUEUE_STREAMS),
            row.orZero(QUEUE_STREAM_BYTES),
            row.orZero(WAITING_STREAMS),
            row.orZero(LARGEST_STREAM),
            row.orZero(LARGEST_STREAM_BYTES)),
        row.orZero(OLDEST),
        row.orZero(UNWRITABLE_TIME));
  }

  private static Shape shape(Row row) {
    return new Shape(
        row.get(SHAPE_HANDLERS),
        row.orZero(SHAPE_CHANNELS),
        row.orZero(SHAPE_BYTES),
        row.orZero(SHAPE_LARGEST_BYTES));
  }
}
