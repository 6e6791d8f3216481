/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import dev.cistern.exporter.report.Finding;
import dev.cistern.exporter.report.Finding.Confidence;
import dev.cistern.exporter.report.Finding.Kind;
import dev.cistern.exporter.report.Finding.Level;
import dev.cistern.exporter.report.PeerAddress;
import dev.cistern.exporter.report.PoolReport;
import dev.cistern.exporter.report.TextFormat;
import dev.cistern.leak.report.HeldSite.Place;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.stats.ChannelReport;
import dev.cistern.stats.ChannelReport.Queue;
import dev.cistern.stats.ChannelReport.Shape;
import dev.cistern.stats.ChannelReport.StreamQueues;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Rule for peers that read more slowly than the application writes.
 *
 * <p>Reason: written bytes wait in outbound queues, and the channels with most of these bytes have
 * not sent them for some time, although the peer could have read. The queue of a short flush drains
 * without help. A writer that respects the writability of its channel keeps its queue near the
 * high-water mark while the peer is slow, which is healthy. Channels can share the memory of a
 * message, so that the finding explains no more bytes than are live.
 */
final class SlowConsumerRule implements Rule {
  private static final long MIN_BYTES = 32L << 20;
  private static final long MIN_CHANNEL_BYTES = 16L << 20;

  /** Minimum size of a queue, far above the high-water mark, which is 64 KiB by default. */
  private static final long MIN_WAITING_BYTES = 1L << 20;

  private static final long WAITING_MILLIS = 10_000;
  private static final long CERTAIN_MILLIS = 30_000;

  /** Last handler of a pipeline, usually a handler of the application. */
  private static final Pattern LAST_NAME = Pattern.compile("([\\w.$#-]+)\\W*$");

  @Override
  public List<Finding> find(Facts facts) {
    Waiting waiting = new Waiting();
    facts.report().copies().forEach(waiting::add);
    Queue largest = waiting.largest;
    boolean isMost = waiting.pending >= MIN_BYTES && 2 * waiting.bytes >= waiting.pending;
    return largest != null && (isMost || largest.pendingBytes() >= MIN_CHANNEL_BYTES)
        ? List.of(finding(facts, waiting, largest))
        : List.of();
  }

  /** Sums over the copies. */
  private static final class Waiting {
    long pending;

    /** Bytes that have waited for {@link #WAITING_MILLIS}. */
    double bytes;

    /** Bytes that have waited for {@link #CERTAIN_MILLIS}. */
    double certainBytes;

    /** Live memory of the waiting bytes, if it is known. */
    double memory;

    /** The channel with the most waiting bytes. */
    @Nullable Queue largest;

    final List<Shape> shapes = new ArrayList<>();

    void add(PoolReport copy) {
      ChannelReport channels = copy.netty().channels();
      if (channels.pendingBytes() == 0) {
        return;
      }
      double own = bytes(channels, WAITING_MILLIS);
      pending += channels.pendingBytes();
      bytes += own;
      certainBytes += bytes(channels, CERTAIN_MILLIS);
      memory += Math.min(own, live(copy.live()));
      shapes.addAll(channels.shapes());
      for (Queue each : channels.largest()) {
        if (isWaiting(each, WAITING_MILLIS)
            && (largest == null || each.pendingBytes() > largest.pendingBytes())) {
          largest = each;
        }
      }
    }

    /** Returns the pending bytes that have waited, estimated from the largest channels. */
    private static double bytes(ChannelReport channels, long millis) {
      long waiting = 0;
      long known = 0;
      for (Queue each : channels.largest()) {
        known += each.pendingBytes();
        waiting += isWaiting(each, millis) ? each.pendingBytes() : 0;
      }
      return known == 0 ? 0 : (double) channels.pendingBytes() * waiting / known;
    }

    /**
     * Returns whether a queue has waited. A channel can be writable while the flow control of
     * HTTP/2 keeps its bytes.
     */
    private static boolean isWaiting(Queue queue, long millis) {
      return queue.pendingBytes() >= MIN_WAITING_BYTES
          && queue.oldestMillis() >= millis
          && (queue.unwritableMillis() > 0
              || 2 * queue.streams().pendingBytes() >= queue.pendingBytes());
    }

    private static double live(LiveReport live) {
      return live.intervalBytes() == 0
          ? Double.MAX_VALUE
          : live.total("direct").bytes() + live.total("heap").bytes();
    }
  }

  private static Finding finding(Facts facts, Waiting waiting, Queue largest) {
    TimeSeries.Growth growth = facts.series().pending.growth(CERTAIN_MILLIS / 1_000);
    boolean isCertain =
        waiting.certainBytes >= MIN_BYTES || (growth.isSteady() && growth.bytes() >= MIN_BYTES);
    String site = site(facts, 2 * largest.streams().pendingBytes() >= largest.pendingBytes());
    return new Finding(
        Kind.SLOW_CONSUMER,
        Level.WARNING,
        isCertain ? Confidence.HIGH : Confidence.MEDIUM,
        Math.round(waiting.memory),
        facts.timeBefore(largest.oldestMillis()),
        "Peers read more slowly than the application writes: "
            + TextFormat.bytes(waiting.bytes)
            + " wait to be sent",
        evidence(waiting, largest, site),
        "let the writer stop while its channel is not writable"
            + lastName(largest)
            + ", or limit the bytes that may wait for one peer and close slower ones",
        site);
  }

  private static List<String> evidence(Waiting waiting, Queue largest, String site) {
    List<String> evidence = new ArrayList<>();
    waiting.shapes.stream()
        .max(Comparator.comparingLong(Shape::pendingBytes))
        .ifPresent(
            most ->
                evidence.add(
                    TextFormat.bytes(waiting.pending)
                        + " are pending in "
                        + TextFormat.count(
                            waiting.shapes.stream().mapToLong(Shape::channels).sum(), "channel")
                        + ", "
                        + TextFormat.bytes(most.pendingBytes())
                        + " of them in "
                        + TextFormat.count(most.channels())
                        + " with the handlers "
                        + most.handlers()));
    boolean isWritable = largest.unwritableMillis() == 0;
    evidence.add(
        "the largest is "
            + largest.id()
            + (largest.remoteAddress().isEmpty()
                ? ""
                : " to " + PeerAddress.masked(largest.remoteAddress()))
            + " with "
            + TextFormat.bytes(largest.pendingBytes())
            + ": the oldest byte waits up to "
            + TextFormat.duration(largest.oldestMillis())
            + (isWritable
                ? ""
                : ", not writable for " + TextFormat.duration(largest.unwritableMillis())));
    StreamQueues streams = largest.streams();
    if (streams.pendingBytes() > 0) {
      evidence.add(
          TextFormat.bytes(streams.pendingBytes())
              + " of it wait for the flow control of HTTP/2, of "
              + TextFormat.count(streams.active(), "open stream")
              + (streams.largest() == 0
                  ? ""
                  : "; stream "
                      + streams.largest()
                      + " has "
                      + TextFormat.bytes(streams.largestBytes())));
    }
    if (waiting.memory < 0.75 * waiting.bytes) { // more than the error of the samples
      evidence.add(
          TextFormat.bytes(waiting.memory)
              + " of buffers are live: channels share messages, or messages are outside of pools");
    }
    if (!site.isEmpty()) {
      evidence.add("most of the buffers that wait were allocated by " + site);
    }
    return evidence;
  }

  /**
   * Returns the last handler. Handlers of HTTP/2 streams are in separate pipelines, which are not
   * known.
   */
  private static String lastName(Queue largest) {
    Matcher last = LAST_NAME.matcher(largest.handlers());
    return largest.streams().active() == 0 && last.find()
        ? " (its last handler is " + last.group(1) + ")"
        : "";
  }

  /** Returns the site of most of the buffers in outbound queues, or of those that streams hold. */
  private static String site(Facts facts, boolean isOfStreams) {
    return facts.all(Holder::of).stream()
        .filter(
            holder ->
                holder.place() == Place.OUTBOUND || (isOfStreams && holder.place() == Place.HTTP2))
        .max(Comparator.comparingDouble(holder -> holder.sites().get(0).oldBytes()))
        .map(Holder::site)
        .orElse("");
  }
}
