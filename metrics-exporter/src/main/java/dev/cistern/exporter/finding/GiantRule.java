/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import dev.cistern.exporter.report.Finding;
import dev.cistern.exporter.report.Finding.Confidence;
import dev.cistern.exporter.report.Finding.Kind;
import dev.cistern.exporter.report.Finding.Level;
import dev.cistern.exporter.report.TextFormat;
import dev.cistern.leak.report.Age;
import dev.cistern.leak.report.LargestAllocation;
import dev.cistern.leak.report.LiveEstimate;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Rule for a single allocation that is far larger than the rest.
 *
 * <p>Reason: one buffer with a large part of the memory, such as an aggregated body, causes the
 * peak. A buffer that is still held after some minutes is probably not a request, and may have this
 * size on purpose.
 */
final class GiantRule implements Rule {
  private static final long MIN_BYTES = 64L << 20;
  private static final long LARGE_BYTES = 128L << 20;
  private static final double MIN_PART = 0.1;
  private static final long RECENT_MILLIS = TimeUnit.MINUTES.toMillis(10);
  private static final long HELD_MILLIS = TimeUnit.MINUTES.toMillis(2);
  private static final String HELD = "it is still held, so that it may be as large on purpose";

  @Override
  public List<Finding> find(Facts facts) {
    LargestAllocation largest = null;
    for (LargestAllocation each : facts.all(copy -> copy.live().detail().largest())) {
      if (each.isOfLastHour() && (largest == null || each.bytes() > largest.bytes())) {
        largest = each;
      }
    }
    if (largest != null && isGiant(facts, largest.bytes())) {
      return List.of(finding(facts, largest));
    }
    long huge = facts.series().huge.maxOfHour();
    return isGiant(facts, huge) ? List.of(withoutSite(facts, huge)) : List.of();
  }

  private static boolean isGiant(Facts facts, long bytes) {
    return bytes >= MIN_BYTES
        && facts.memory().residentBytes() > 0
        && facts.isPartOfResident(bytes, MIN_PART);
  }

  /**
   * Returns whether the site of an allocation still has a buffer of that size, minutes after the
   * allocation.
   */
  private static boolean isHeld(Facts facts, LargestAllocation largest, long age) {
    if (age < HELD_MILLIS) {
      return false;
    }
    return facts.all(copy -> copy.live().sites()).stream()
        .anyMatch(
            each ->
                each.site().equals(largest.site())
                    && each.memory().equals(largest.memory())
                    && isHeld(each.live(), largest.bytes()));
  }

  /**
   * Returns whether a site has an old, large buffer. Younger buffers of the site belong to other
   * requests, and many small ones are not a giant.
   */
  private static boolean isHeld(LiveEstimate live, long bytes) {
    double old = live.bytes(Age.UNDER_10_MINUTES) + live.bytes(Age.OLDER);
    return old >= bytes / 2.0 && live.bytes() >= bytes / 4.0 * live.buffers();
  }

  private static Finding withoutSite(Facts facts, long bytes) {
    TimeSeries huge = facts.series().huge;
    boolean isRecent = huge.max(TimeUnit.MILLISECONDS.toSeconds(RECENT_MILLIS)) >= bytes;
    TimeSeries events = facts.series().hugeEvents;
    boolean isHeld =
        events.coveredMillis() >= HELD_MILLIS
            && events.min(TimeUnit.MILLISECONDS.toSeconds(HELD_MILLIS)) == events.now()
            && huge.now() >= bytes / 2;
    return new Finding(
        Kind.GIANT_REQUEST,
        bytes >= LARGE_BYTES && isRecent && !isHeld ? Level.WARNING : Level.NOTICE,
        isHeld ? Confidence.MEDIUM : Confidence.HIGH,
        bytes,
        isRecent ? facts.timeBefore(huge.millisSinceAtLeast(bytes)) : 0,
        "One buffer of Netty's own allocator took about " + TextFormat.bytes(bytes),
        List.of(
            "counted: bytes of buffers that are larger than a chunk, divided by their number",
            isHeld ? HELD : "it has grown to that size, so that no sample has its site"),
        "look for code that gathers whole messages, such as an aggregator or a decoder, and limit"
            + " their size",
        "");
  }

  private static Finding finding(Facts facts, LargestAllocation largest) {
    long age = facts.report().timeMillis() - largest.timeMillis();
    boolean isLate = age >= RECENT_MILLIS;
    boolean isHeld = isHeld(facts, largest, age);
    String sample = "certain: a sample recorded it " + TextFormat.duration(age) + " ago";
    return new Finding(
        Kind.GIANT_REQUEST,
        largest.bytes() >= LARGE_BYTES && !isLate && !isHeld ? Level.WARNING : Level.NOTICE,
        isHeld ? Confidence.MEDIUM : Confidence.HIGH,
        largest.bytes(),
        largest.timeMillis(),
        "One allocation took "
            + TextFormat.bytes(largest.bytes())
            + " of "
            + largest.memory()
            + " memory at "
            + largest.site(),
        isHeld ? List.of(sample, HELD) : List.of(sample),
        "limit the size of one message there, or read and write it in pieces",
        largest.site());
  }
}
