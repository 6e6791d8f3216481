/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import dev.cistern.exporter.finding.NeedWatch.Watched;
import dev.cistern.exporter.report.Finding;
import dev.cistern.exporter.report.Finding.Confidence;
import dev.cistern.exporter.report.Finding.Kind;
import dev.cistern.exporter.report.Finding.Level;
import dev.cistern.exporter.report.TextFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Rule for memory that an allocator keeps after a peak.
 *
 * <p>Reason: an allocator has reserved far more than its buffers have needed for some minutes, and
 * does not free it. Peaks that return justify the memory: the rule then waits for twice the longest
 * pause between them.
 */
final class RetentionRule implements Rule {
  private static final long IDLE_MILLIS = TimeUnit.SECONDS.toMillis(90);

  /** Time within which periodic batches, a few minutes apart, need their memory again. */
  private static final long LIKELY_MILLIS = TimeUnit.SECONDS.toMillis(240);

  private static final long CERTAIN_MILLIS = TimeUnit.MINUTES.toMillis(10) - TimeSeries.STEP_MILLIS;
  private static final long MIN_BYTES = 64L << 20;
  private static final long LARGE_BYTES = 128L << 20;

  /** Memory that shrinks by more than this fraction (1/20) is being freed. */
  private static final int SHRINKING = 20;

  private static final long SHRINKING_SECONDS = 30;

  @Override
  public List<Finding> find(Facts facts) {
    List<Watched> idle = new ArrayList<>();
    for (Watched each : facts.needs().allocators()) {
      if (isKept(each)) {
        idle.add(each);
      }
    }
    return idle.isEmpty() ? List.of() : List.of(finding(facts, idle));
  }

  private static boolean isKept(Watched each) {
    long idle = each.idleMillis();
    long debt = each.debt(idle / 1_000);
    boolean isShrinking =
        each.reserved.max(SHRINKING_SECONDS) - each.reservedBytes > each.reservedBytes / SHRINKING;
    return idle >= Math.max(IDLE_MILLIS, 2 * each.longestGapMillis())
        && debt >= MIN_BYTES
        && debt >= each.reservedBytes / 2
        && !isShrinking;
  }

  private static Finding finding(Facts facts, List<Watched> idle) {
    Watched largest = idle.get(0);
    long all = 0;
    long shortest = Long.MAX_VALUE;
    for (Watched each : idle) {
      all += each.debt(each.idleMillis() / 1_000);
      shortest = Math.min(shortest, each.idleMillis());
      largest = each.reservedBytes > largest.reservedBytes ? each : largest;
    }
    String holder = largest.isOfNetty() ? "Netty's own allocator" : "Cistern's pool";
    List<String> evidence = new ArrayList<>();
    evidence.add(
        largest.pool
            + ", "
            + largest.allocator
            + ": "
            + TextFormat.bytes(largest.reservedBytes)
            + " of "
            + largest.memory
            + " memory reserved, up to "
            + TextFormat.bytes(largest.need.max(largest.idleMillis() / 1_000))
            + " needed for "
            + TextFormat.duration(largest.idleMillis()));
    long resident = largest.residentDebt(largest.idleMillis() / 1_000);
    evidence.add(TextFormat.bytes(resident) + " of the unneeded memory is resident");
    if (idle.size() > 1) {
      evidence.add(TextFormat.count(idle.size() - 1L, "other allocator") + " keeps memory, too");
    }
    Confidence late = shortest >= CERTAIN_MILLIS ? Confidence.HIGH : Confidence.MEDIUM;
    // Arenas that a copy of Netty reserves at its start look as if they had been needed earlier.
    boolean isLate = shortest >= LIKELY_MILLIS && largest.hasPeaked();
    return new Finding(
        Kind.RETENTION,
        isLate && all >= LARGE_BYTES ? Level.WARNING : Level.NOTICE,
        isLate ? late : Confidence.LOW,
        all,
        facts.timeBefore(shortest),
        holder + " keeps " + TextFormat.bytes(all) + " after a peak, and nothing needs it",
        evidence,
        largest.isOfNetty()
            ? "switch this copy to the mode swap, whose pool gives unused memory back; or lower the"
                + " peak"
            : "lower the setting decayMillis, or the peak",
        "");
  }
}
