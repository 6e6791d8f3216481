/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import dev.cistern.exporter.report.CopyReport;
import dev.cistern.exporter.report.Finding;
import dev.cistern.exporter.report.Finding.Confidence;
import dev.cistern.exporter.report.Finding.Kind;
import dev.cistern.exporter.report.Finding.Level;
import dev.cistern.exporter.report.TextFormat;
import dev.cistern.leak.report.LargestAllocation;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A single allocation that is far larger than all others.
 *
 * <p>Reason: one buffer of a large part of the memory, such as an aggregated body, makes the peak.
 */
final class GiantRule implements Rule {
  private static final long MIN_BYTES = 64L << 20;
  private static final long LARGE_BYTES = 128L << 20;
  private static final double MIN_PART = 0.1;
  private static final long RECENT_MILLIS = TimeUnit.MINUTES.toMillis(10);

  @Override
  public List<Finding> find(Facts facts) {
    LargestAllocation largest = null;
    for (CopyReport copy : facts.report().copies()) {
      for (LargestAllocation each : copy.live().detail().largest()) {
        if (each.isOfLastHour() && (largest == null || each.bytes() > largest.bytes())) {
          largest = each;
        }
      }
    }
    boolean isGiant =
        largest != null
            && largest.bytes() >= MIN_BYTES
            && facts.isPartOfResident(largest.bytes(), MIN_PART);
    if (largest != null && isGiant) {
      return List.of(finding(facts, largest));
    }
    long huge = facts.series().huge().maxOfHour();
    return huge >= MIN_BYTES && facts.isPartOfResident(huge, MIN_PART)
        ? List.of(withoutSite(facts, huge))
        : List.of();
  }

  private static Finding withoutSite(Facts facts, long bytes) {
    TimeSeries huge = facts.series().huge();
    boolean isRecent = huge.max(TimeUnit.MILLISECONDS.toSeconds(RECENT_MILLIS)) >= bytes;
    return new Finding(
        Kind.GIANT_REQUEST,
        bytes >= LARGE_BYTES && isRecent ? Level.WARNING : Level.NOTICE,
        Confidence.HIGH,
        bytes,
        isRecent ? facts.timeBefore(huge.millisSinceAtLeast(bytes)) : 0,
        "One buffer of Netty's own allocator took about " + TextFormat.bytes(bytes),
        List.of(
            "counted: bytes of buffers that are larger than a chunk, divided by their number",
            "it has grown to that size, so that no sample has its site"),
        "look for code that gathers whole messages, such as an aggregator or a decoder, and limit"
            + " their size",
        "");
  }

  private static Finding finding(Facts facts, LargestAllocation largest) {
    long age = facts.report().timeMillis() - largest.timeMillis();
    return new Finding(
        Kind.GIANT_REQUEST,
        largest.bytes() >= LARGE_BYTES && age < RECENT_MILLIS ? Level.WARNING : Level.NOTICE,
        Confidence.HIGH,
        largest.bytes(),
        largest.timeMillis(),
        "One allocation took "
            + TextFormat.bytes(largest.bytes())
            + " of "
            + largest.memory()
            + " memory at "
            + largest.site(),
        List.of("certain: a sample recorded it " + TextFormat.duration(age) + " ago"),
        "limit the size of one message there, or read and write it in pieces",
        largest.site());
  }
}
