/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import dev.cistern.exporter.report.Finding;
import dev.cistern.exporter.report.Finding.Confidence;
import dev.cistern.exporter.report.Finding.Kind;
import dev.cistern.exporter.report.Finding.Level;
import dev.cistern.exporter.report.PoolReport;
import dev.cistern.exporter.report.TextFormat;
import dev.cistern.leak.report.HeldSite;
import dev.cistern.leak.report.HeldSite.Place;
import dev.cistern.stats.ChannelReport;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Rule for received data of calls that were cancelled or failed.
 *
 * <p>Reason: the handler of an HTTP/2 connection has passed data to a call, the data is not unread
 * data of an open stream, and many calls ended without success. Without such calls, buffers that
 * the collector finds are an ordinary leak, and buffers that are held may be a cache of whole
 * messages.
 */
final class OrphanedByCancelRule implements Rule {
  private static final long MIN_BYTES = 16L << 20;
  private static final long CERTAIN_BYTES = 32L << 20;
  private static final long MIN_BYTES_WITHOUT_FAILED = 32L << 20;

  /** One failed call per this number of opened streams is evidence of cancellation. */
  private static final long STREAMS_PER_FAILED = 10;

  private static final long CERTAIN_STREAMS_PER_FAILED = 2;

  @Override
  public List<Finding> find(Facts facts) {
    List<Finding> found = new ArrayList<>();
    for (PoolReport copy : facts.report().copies()) {
      Orphans orphans = Orphans.of(copy);
      if (orphans.isWarning()) {
        found.add(warning(copy, orphans));
      } else if (orphans.isNotice()) {
        found.add(notice(copy, orphans));
      }
    }
    return found;
  }

  /** Returns whether this rule has a finding of level WARNING for a copy. */
  static boolean hasWarning(PoolReport copy) {
    return Orphans.of(copy).isWarning();
  }

  /** Returns whether the unread bytes of all open streams are counted. */
  static boolean isUnreadKnown(ChannelReport channels) {
    ChannelReport.Streams streams = channels.streams();
    return streams.connections() > 0
        && streams.unreadBytes() != ChannelReport.Streams.UNKNOWN
        && channels.notWatched() == 0;
  }

  /**
   * Data of HTTP/2 connections of a copy.
   *
   * @param streams counters of the streams
   * @param isKnown whether the unread bytes of all open streams are counted
   * @param holders handlers of connections
   * @param lostBytes data that the collector found
   * @param heldBytes other data that is older than ten seconds
   * @param ofStreamsBytes the part of {@code heldBytes} that open streams have not read, or not
   *     sent; all of it if the part is not known
   */
  private record Orphans(
      ChannelReport.Streams streams,
      boolean isKnown,
      List<Holder> holders,
      double lostBytes,
      double heldBytes,
      double ofStreamsBytes) {
    static Orphans of(PoolReport copy) {
      List<Holder> holders =
          Holder.of(copy).stream().filter(each -> each.place() == Place.HTTP2).toList();
      double lost = sum(holders, HeldSite::lostBytes);
      // Nearly all lost buffers are old, too.
      double held = sum(holders, each -> Math.max(0, each.oldBytes() - each.lostBytes()));
      ChannelReport channels = copy.netty().channels();
      ChannelReport.Streams streams = channels.streams();
      boolean isKnown = isUnreadKnown(channels);
      double ofStreams =
          isKnown
              ? Math.min(held, streams.unreadBytes() + (double) streams.pendingBytes())
              : held; // all of it may be unread
      return new Orphans(streams, isKnown, holders, lost, held, ofStreams);
    }

    private static double sum(List<Holder> holders, ToDoubleFunction<HeldSite> figure) {
      return holders.stream().mapToDouble(each -> each.sum(figure)).sum();
    }

    double bytes() {
      return lostBytes + heldWithoutStream();
    }

    double heldWithoutStream() {
      return heldBytes - ofStreamsBytes;
    }

    boolean isWarning() {
      return hasFailed(STREAMS_PER_FAILED)
          && bytes() >= MIN_BYTES
          && isMost(bytes(), lostBytes + heldBytes);
    }

    /** Returns whether one of this number of streams, or more, had a call without success. */
    boolean hasFailed(long perStreams) {
      return streams.failed() > 0 && perStreams * streams.failed() >= streams.opened();
    }

    boolean isNotice() {
      return !hasFailed(STREAMS_PER_FAILED)
          && isKnown
          && streams.active() == 0
          && heldWithoutStream() >= MIN_BYTES_WITHOUT_FAILED
          && isMost(heldWithoutStream(), heldBytes);
    }

    /**
     * Returns whether a part is at least half. A smaller difference of estimates and counts may be
     * chance.
     */
    private static boolean isMost(double part, double of) {
      return 2 * part >= of;
    }

    /** Returns the largest holder. The report lists the holders with the most bytes first. */
    Holder largest() {
      return holders.get(0);
    }
  }

  private static Finding warning(PoolReport copy, Orphans orphans) {
    double bytes = orphans.bytes();
    boolean isCertain = orphans.hasFailed(CERTAIN_STREAMS_PER_FAILED) && bytes >= CERTAIN_BYTES;
    List<String> evidence = new ArrayList<>();
    evidence.add(
        TextFormat.count(orphans.streams.failed())
            + " of "
            + TextFormat.count(orphans.streams.opened(), "call")
            + " ended without success");
    if (orphans.isKnown) {
      evidence.add(ofStreams(orphans));
    }
    if (orphans.lostBytes > 0) {
      evidence.add(
          TextFormat.bytes(orphans.lostBytes) + " were garbage collected without a release");
    }
    evidence.add(orphans.largest().heldBy(copy));
    evidence.add(orphans.largest().allocatedBy());
    return new Finding(
        Kind.ORPHANED_BY_CANCEL,
        Level.WARNING,
        isCertain ? Confidence.HIGH : Confidence.MEDIUM,
        Math.round(bytes),
        orphans.largest().oldestMillis(),
        "Received data of calls that were cancelled or failed was not released: "
            + TextFormat.bytes(bytes),
        evidence,
        "drain or close the reader of a call after its cancellation (BlockingClientCall.cancel of"
            + " grpc-java keeps pending reads: grpc-java 12355), and release messages in the cancel"
            + " path",
        orphans.largest().site());
  }

  private static Finding notice(PoolReport copy, Orphans orphans) {
    double bytes = orphans.heldWithoutStream();
    return new Finding(
        Kind.ORPHANED_BY_CANCEL,
        Level.NOTICE,
        Confidence.LOW,
        Math.round(bytes),
        orphans.largest().oldestMillis(),
        "Received data was not released after its streams had ended: " + TextFormat.bytes(bytes),
        List.of(
            ofStreams(orphans), orphans.largest().heldBy(copy), orphans.largest().allocatedBy()),
        "release each message after its use, also if its call fails; a cache of whole messages looks"
            + " the same",
        orphans.largest().site());
  }

  private static String ofStreams(Orphans orphans) {
    return TextFormat.bytes(orphans.heldBytes)
        + " are older than 10 s, and open streams have "
        + TextFormat.bytes(orphans.ofStreamsBytes)
        + " of them; "
        + TextFormat.count(orphans.streams.active())
        + " of "
        + TextFormat.count(orphans.streams.opened(), "stream")
        + " are open";
  }
}
