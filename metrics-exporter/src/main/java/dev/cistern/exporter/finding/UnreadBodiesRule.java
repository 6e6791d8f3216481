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
import dev.cistern.leak.report.SiteTrend;
import dev.cistern.stats.ChannelReport;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Rule for received data that the application has not consumed.
 *
 * <p>Reason: a decoder, an aggregator, an HTTP/2 connection or another handler has held much data
 * for more than ten seconds. A large upload in progress can take as long, so that a decoder or an
 * aggregator is of low confidence until its oldest data is older. A cache in a handler of the
 * application looks the same as a queue there. Such a handler is of low confidence until its data
 * has grown for longer than caches take to fill.
 */
final class UnreadBodiesRule implements Rule {
  private static final long MIN_BYTES = 24L << 20;
  private static final long CERTAIN_BYTES = 32L << 20;
  private static final long LIKELY_MILLIS = 30_000;
  private static final long CERTAIN_MILLIS = 60_000;
  private static final Set<Place> INBOUND =
      EnumSet.of(Place.CUMULATION, Place.AGGREGATOR, Place.HTTP2, Place.HANDLER);

  @Override
  public List<Finding> find(Facts facts) {
    List<Finding> found = new ArrayList<>();
    for (PoolReport copy : facts.report().copies()) {
      for (Holder holder : Holder.of(copy)) {
        double bytes = unread(copy, holder);
        if (bytes >= MIN_BYTES) {
          found.add(finding(facts, copy, holder, bytes));
        }
      }
    }
    found.sort(Comparator.comparingLong(Finding::bytes).reversed());
    return found;
  }

  /**
   * Returns the unread bytes. An HTTP/2 connection also has garbage, data that waits to be sent,
   * and data of calls that ended.
   */
  private static double unread(PoolReport copy, Holder holder) {
    if (!INBOUND.contains(holder.place())) {
      return 0;
    }
    if (holder.place() != Place.HTTP2) {
      return holder.sum(HeldSite::oldBytes);
    }
    double held = holder.sum(each -> Math.max(0, each.oldBytes() - each.lostBytes()));
    ChannelReport channels = copy.netty().channels();
    double unread = held - channels.streams().pendingBytes();
    boolean isMost = 2 * unread >= held; // a smaller difference of estimates may be chance
    if (!isMost || OrphanedByCancelRule.hasWarning(copy)) {
      return 0;
    }
    return OrphanedByCancelRule.isUnreadKnown(channels)
        ? Math.min(unread, (double) channels.streams().unreadBytes())
        : unread;
  }

  private static Confidence confidence(Facts facts, PoolReport copy, Holder holder, double bytes) {
    return switch (holder.place()) {
      case AGGREGATOR, CUMULATION -> ofMessages(age(facts, holder), bytes);
      case HANDLER -> isLasting(facts, copy, holder) ? Confidence.MEDIUM : Confidence.LOW;
      default -> Confidence.MEDIUM;
    };
  }

  private static Confidence ofMessages(long age, double bytes) {
    if (age < LIKELY_MILLIS) {
      return Confidence.LOW;
    }
    return age >= CERTAIN_MILLIS && bytes >= CERTAIN_BYTES ? Confidence.HIGH : Confidence.MEDIUM;
  }

  private static long age(Facts facts, Holder holder) {
    return facts.report().timeMillis() - holder.oldestMillis();
  }

  private static boolean isLasting(Facts facts, PoolReport copy, Holder holder) {
    return copy.live().trends().stream()
        .filter(trend -> GrowthRule.isLasting(facts, trend))
        .anyMatch(trend -> holder.sites().stream().anyMatch(site -> isOf(trend, site)));
  }

  private static boolean isOf(SiteTrend trend, HeldSite site) {
    return trend.memory().equals(site.memory()) && trend.site().equals(site.site());
  }

  private static Finding finding(Facts facts, PoolReport copy, Holder holder, double bytes) {
    Confidence confidence = confidence(facts, copy, holder, bytes);
    return new Finding(
        Kind.UNREAD_BODIES,
        confidence == Confidence.LOW ? Level.NOTICE : Level.WARNING,
        confidence,
        Math.round(bytes),
        holder.oldestMillis(),
        holder.shortName()
            + " holds received data that the application has not consumed: "
            + TextFormat.bytes(bytes),
        List.of(
            TextFormat.bytes(bytes)
                + " are older than 10 s, the oldest "
                + TextFormat.duration(age(facts, holder)),
            holder.heldBy(copy),
            holder.allocatedBy()),
        next(holder.place()),
        holder.site());
  }

  private static String next(Place place) {
    return switch (place) {
      case AGGREGATOR ->
          "lower maxContentLength or read the body in parts, and close uploads that trickle after a"
              + " time";
      case CUMULATION ->
          "limit the size of a message in this decoder, and close peers that send it too slowly";
      case HTTP2 -> "consume the data of open streams, or request fewer messages at a time";
      default ->
          "read the messages that this handler keeps, release them, or resume reading; a cache in it"
              + " looks the same";
    };
  }
}
