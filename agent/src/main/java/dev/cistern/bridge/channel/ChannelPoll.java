/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge.channel;

import dev.cistern.leak.WatchFailures;
import dev.cistern.stats.ChannelReport;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPipeline;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One poll of all channels: reads their counters and adds them up. The agent's thread only. */
final class ChannelPoll {
  /**
   * Number of polls in which each pipeline is read once. A changed pipeline, such as after an
   * upgrade to HTTP/2, is seen within as many polls.
   */
  private static final int POLLS_OF_A_ROUND = 16;

  /** Limit of different shapes while they are added up. */
  private static final int MAX_SHAPES = 256;

  /**
   * Number of first polls that each read the pipeline, because the handlers of a new channel change
   * most.
   */
  private static final int POLLS_AT_START = 4;

  private static final long POLL_MILLIS = TimeUnit.SECONDS.toMillis(1);

  private static final Comparator<Pending> SMALLEST_FIRST =
      Comparator.comparingLong(Pending::bytes);

  /**
   * Whether the application has Netty's codec of HTTP/2. The agent searches for it once, because a
   * search reads all jars of the application.
   */
  private static final boolean HAS_HTTP2 = hasHttp2();

  private final int number;

  /** Returns the handlers of a pipeline as text. */
  private final Function<ChannelPipeline, String> handlers;

  private final PriorityQueue<Pending> largest = new PriorityQueue<>(SMALLEST_FIRST);
  private final Map<String, ShapeSum> shapes = new HashMap<>();
  private long unwritable;
  private long pendingBytes;
  private long largestBytes;
  private StreamSum streams = StreamSum.NONE;

  /** A channel with pending bytes. */
  private record Pending(
      WatchedChannel watched,
      WatchedChannel.Waiting waiting,
      Channel channel,
      long bytes,
      Http2Counters.Values http2) {}

  /** The sums of the HTTP/2 counters. A sum is unknown if it is unknown for one connection. */
  private record StreamSum(
      long connections,
      long active,
      long opened,
      long failed,
      long pendingBytes,
      long unreadBytes) {
    static final StreamSum NONE = new StreamSum(0, 0, 0, 0, 0, 0);

    StreamSum plus(Http2Counters.Values other) {
      return new StreamSum(
          connections + 1,
          active + other.active(),
          opened + other.opened(),
          sum(failed, other.failed()),
          pendingBytes + other.pendingBytes(),
          sum(unreadBytes, other.unreadBytes()));
    }

    private static long sum(long one, long other) {
      return one < 0 || other < 0 ? Http2Counters.UNKNOWN : one + other;
    }

    ChannelReport.Streams report() {
      return connections == 0
          ? ChannelReport.Streams.NONE
          : new ChannelReport.Streams(
              connections, active, opened, failed, pendingBytes, unreadBytes);
    }
  }

  /** The sum of the channels of one shape. */
  private static final class ShapeSum {
    long channels;
    long bytes;
    long largestBytes;
  }

  /**
   * Creates a poll.
   *
   * @param number 1 for the first
   * @param handlers returns the handlers of a pipeline as text
   */
  ChannelPoll(int number, Function<ChannelPipeline, String> handlers) {
    this.number = number;
    this.handlers = handlers;
  }

  /** Reads a channel. Returns false if it is closed. */
  boolean read(WatchedChannel watched) {
    Channel channel = watched.get();
    try {
      return channel != null && read(watched, channel);
    } catch (RuntimeException | LinkageError failure) { // a channel class of the application
      WatchFailures.add(failure);
      return true; // the next poll tries again
    }
  }

  private boolean read(WatchedChannel watched, Channel channel) {
    ChannelOutboundBuffer queue = channel.unsafe().outboundBuffer();
    if (queue == null || !channel.isOpen()) {
      return false;
    }
    boolean isDue = isDue(watched);
    if (isDue) {
      watched.http2 = HAS_HTTP2 ? Http2Counters.of(channel.pipeline(), watched.http2) : null;
    }
    Http2Counters.Values http2 = add(watched.http2);
    long bytes = queue.totalPendingWriteBytes() + http2.pendingBytes();
    boolean isWritable = queue.isWritable();
    unwritable += isWritable ? 0 : 1;
    if (bytes == 0 && isWritable) {
      watched.waiting = null;
      return true;
    }
    WatchedChannel.Waiting waiting = watched.waiting;
    if (waiting == null) {
      waiting = new WatchedChannel.Waiting();
      watched.waiting = waiting;
    }
    waiting.unwritableSince = isWritable ? 0 : since(waiting.unwritableSince);
    waiting.pendingSince = bytes == 0 ? 0 : since(waiting.pendingSince);
    if (isDue || waiting.handlers == null) {
      waiting.handlers = handlers.apply(channel.pipeline());
    }
    if (bytes > 0) {
      add(new Pending(watched, waiting, channel, bytes, http2));
    }
    return true;
  }

  /** Returns whether the pipeline is read: in the first polls of a channel, then in each round. */
  private boolean isDue(WatchedChannel watched) {
    if (watched.polls < POLLS_AT_START) {
      watched.polls++;
      return true;
    }
    return (watched.hash + number) % POLLS_OF_A_ROUND == 0; // not all of them in the same poll
  }

  private int since(int earlier) {
    return earlier == 0 ? number : earlier;
  }

  private Http2Counters.Values add(@Nullable Http2Counters counters) {
    if (counters == null) {
      return Http2Counters.Values.NONE;
    }
    Http2Counters.Values values = counters.read();
    streams = streams.plus(values);
    return values;
  }

  private void add(Pending pending) {
    pendingBytes += pending.bytes();
    largestBytes = Math.max(largestBytes, pending.bytes());
    largest.add(pending);
    if (largest.size() > ChannelReport.MAX_LARGEST) {
      Pending unused = largest.remove();
    }
    ShapeSum sum = shape(pending.waiting().handlers());
    sum.channels++;
    sum.bytes += pending.bytes();
    sum.largestBytes = Math.max(sum.largestBytes, pending.bytes());
  }

  private ShapeSum shape(String handlers) {
    boolean hasPlace = shapes.size() < MAX_SHAPES || shapes.containsKey(handlers);
    return shapes.computeIfAbsent(
        hasPlace ? handlers : ChannelReport.Shape.OTHERS, name -> new ShapeSum());
  }

  private static boolean hasHttp2() {
    try {
      Class<?> unused = Http2Counters.codec();
      return true;
    } catch (LinkageError noCodec) {
      return false;
    }
  }

  /**
   * Returns the report.
   *
   * @param channels number of open channels
   * @param notWatched number of registrations that were dropped because of a limit
   */
  ChannelReport report(int channels, long notWatched) {
    return new ChannelReport(
        channels,
        unwritable,
        pendingBytes,
        largestBytes,
        notWatched,
        streams.report(),
        largest.stream()
            .sorted(SMALLEST_FIRST.reversed())
            .map(this::queue)
            .filter(Objects::nonNull)
            .toList(),
        shapes());
  }

  /**
   * Returns the queue of a channel with pending bytes; null if a channel class of the application
   * fails.
   */
  private ChannelReport.@Nullable Queue queue(Pending pending) {
    WatchedChannel.Waiting waiting = pending.waiting();
    try {
      return new ChannelReport.Queue(
          pending.channel().id().asShortText(),
          Handlers.address(pending.channel().remoteAddress()),
          waiting.handlers(),
          pending.bytes(),
          streams(pending),
          millis(waiting.pendingSince),
          waiting.unwritableSince == 0 ? 0 : millis(waiting.unwritableSince));
    } catch (RuntimeException | LinkageError failure) {
      WatchFailures.add(failure);
      return null;
    }
  }

  private static ChannelReport.StreamQueues streams(Pending pending) {
    Http2Counters http2 = pending.watched().http2;
    return http2 == null
        ? ChannelReport.StreamQueues.NONE
        : http2.streams(pending.channel().pipeline(), pending.http2());
  }

  /**
   * Returns the time since the poll before the poll with a number. The condition can be that old,
   * because nothing is seen between polls.
   */
  private long millis(int since) {
    return (number - since + 1) * POLL_MILLIS;
  }

  /** Returns the largest shapes, and the sum of the remaining ones. */
  private List<ChannelReport.Shape> shapes() {
    List<ChannelReport.Shape> all = new ArrayList<>();
    shapes.forEach(
        (name, sum) ->
            all.add(new ChannelReport.Shape(name, sum.channels, sum.bytes, sum.largestBytes)));
    all.sort(Comparator.comparingLong(ChannelReport.Shape::pendingBytes).reversed());
    int kept = Math.min(all.size(), ChannelReport.MAX_SHAPES - 1);
    List<ChannelReport.Shape> shown = new ArrayList<>(all.subList(0, kept));
    all.subList(kept, all.size()).stream().reduce(ChannelPoll::sum).ifPresent(shown::add);
    return shown;
  }

  private static ChannelReport.Shape sum(ChannelReport.Shape one, ChannelReport.Shape other) {
    return new ChannelReport.Shape(
        ChannelReport.Shape.OTHERS,
        one.channels() + other.channels(),
        one.pendingBytes() + other.pendingBytes(),
        Math.max(one.largestBytes(), other.largestBytes()));
  }
}
