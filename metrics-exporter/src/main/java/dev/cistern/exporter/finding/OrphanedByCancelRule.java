/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import dev.cistern.exporter.report.CopyReport;
import dev.cistern.exporter.report.Finding;
import dev.cistern.exporter.report.Finding.Confidence;
import dev.cistern.exporter.report.Finding.Kind;
import dev.cistern.exporter.report.Finding.Level;
import dev.cistern.exporter.report.TextFormat;
import dev.cistern.leak.report.HeldSite;
import dev.cistern.leak.report.HeldSite.Place;
import dev.cistern.stats.ChannelReport;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Received data of calls that have ended.
 *
 * <p>Reason: the handler of an HTTP/2 connection has passed data to a call, and no open stream has
 * it unread. The call has ended before its reader took the data, most often by a cancellation. If
 * the reader is garbage, the collector finds the buffers, too.
 */
final class OrphanedByCancelRule implements Rule {
  private static final long MIN_BYTES = 16L << 20;
  private static final long CERTAIN_BYTES = 32L << 20;
  private static final long CERTAIN_LOST_BYTES = 8L << 20;

  @Override
  public List<Finding> find(Facts facts) {
    List<Finding> found = new ArrayList<>();
    for (CopyReport copy : facts.report().copies()) {
      Orphans orphans = Orphans.of(copy);
      if (orphans.isFound()) {
        found.add(finding(copy, orphans));
      }
    }
    return found;
  }

  /** Returns whether this rule has a finding for a copy. */
  static boolean isFound(CopyReport copy) {
    return Orphans.of(copy).isFound();
  }

  /**
   * Data of HTTP/2 connections of a copy.
   *
   * @param holders handlers of connections
   * @param lostBytes data that the collector found
   * @param heldBytes other data that is older than ten seconds
   * @param ofStreamsBytes the part of this that open streams have not read, or not sent
   */
  private record Orphans(
      List<Holder> holders, double lostBytes, double heldBytes, double ofStreamsBytes) {
    static Orphans of(CopyReport copy) {
      List<Holder> holders =
          Holder.of(copy).stream().filter(each -> each.place() == Place.HTTP2).toList();
      double lost = sum(holders, HeldSite::lostBytes);
      // nearly all lost buffers are old, too
      double old = sum(holders, each -> Math.max(each.oldBytes(), each.lostBytes()));
      ChannelReport.Streams streams = copy.netty().channels().streams();
      double ofStreams = streams.unreadBytes() + (double) streams.pendingBytes();
      boolean isKnown = streams.connections() > 0; // otherwise all of it may be unread
      double held = old - lost;
      return new Orphans(holders, lost, held, isKnown ? Math.min(held, ofStreams) : held);
    }

    private static double sum(List<Holder> holders, ToDoubleFunction<HeldSite> figure) {
      return holders.stream().mapToDouble(each -> each.sum(figure)).sum();
    }

    double bytes() {
      return lostBytes + heldBytes - ofStreamsBytes;
    }

    /** The difference of estimates and counts may be chance, if it is a small part of them. */
    boolean isFound() {
      return bytes() >= MIN_BYTES && 2 * bytes() >= lostBytes + heldBytes;
    }
  }

  private static Finding finding(CopyReport copy, Orphans orphans) {
    ChannelReport channels = copy.netty().channels();
    ChannelReport.Streams streams = channels.streams();
    double bytes = orphans.bytes();
    boolean isLost = orphans.lostBytes >= CERTAIN_LOST_BYTES && 2 * orphans.lostBytes >= bytes;
    boolean isKnown = streams.connections() > 0;
    boolean isWithoutStream = isKnown && streams.active() == 0 && channels.notWatched() == 0;
    Holder largest = orphans.holders.get(0); // the report has those with the most bytes first
    List<String> evidence = new ArrayList<>();
    if (isKnown) {
      evidence.add(
          TextFormat.bytes(orphans.heldBytes)
              + " are older than 10 s, and open streams have "
              + TextFormat.bytes(orphans.ofStreamsBytes)
              + " of them; "
              + TextFormat.count(streams.active())
              + " of "
              + TextFormat.count(streams.opened(), "stream")
              + " are open");
    }
    if (orphans.lostBytes > 0) {
      evidence.add(
          TextFormat.bytes(orphans.lostBytes) + " were garbage collected without a release");
    }
    evidence.add(largest.heldBy(copy));
    evidence.add(largest.allocatedBy());
    return new Finding(
        Kind.ORPHANED_BY_CANCEL,
        Level.WARNING,
        isLost || (isWithoutStream && bytes >= CERTAIN_BYTES) ? Confidence.HIGH : Confidence.MEDIUM,
        Math.round(bytes),
        largest.oldestMillis(),
        "Received data of calls that have ended was not released: " + TextFormat.bytes(bytes),
        evidence,
        "drain or close the reader of a call after its cancellation (BlockingClientCall.cancel of"
            + " grpc-java keeps pending reads: grpc-java 12355), and release messages in the cancel"
            + " path",
        largest.site());
  }
}
