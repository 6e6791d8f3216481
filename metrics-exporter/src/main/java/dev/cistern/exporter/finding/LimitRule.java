/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import dev.cistern.exporter.report.Finding;
import dev.cistern.exporter.report.Finding.Confidence;
import dev.cistern.exporter.report.Finding.Kind;
import dev.cistern.exporter.report.Finding.Level;
import dev.cistern.exporter.report.PoolReport;
import dev.cistern.exporter.report.TextFormat;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Rule for use that reaches a limit.
 *
 * <p>Reason: memory in use, without free memory of pools, is at nine tenths of the limit or above;
 * or all memory that counts is, and allocations fail. The rule reports both cases. If another cause
 * explains the use, that cause ranks before this finding.
 */
final class LimitRule implements Rule {
  private static final long SPAN_SECONDS = 60;

  /** Part of the limit at which a collection would have freed the garbage. */
  private static final double FULL = 0.98;

  private static final long CERTAIN_MILLIS = TimeUnit.SECONDS.toMillis(25);

  @Override
  public List<Finding> find(Facts facts) {
    List<Finding> found = new ArrayList<>();
    for (LimitWatch.Watched each : facts.limits().limits()) {
      long near = each.nearBytes();
      if (each.limitBytes > 0 && isNear(each, near)) {
        found.add(finding(facts, each, near));
      }
    }
    // Only the most important finding is shown: a limit with failed allocations ranks before a
    // limit that is near.
    found.sort(
        Comparator.comparing(Finding::level, Comparator.reverseOrder())
            .thenComparing(Finding::confidence, Comparator.reverseOrder()));
    return found.isEmpty() ? List.of() : List.of(found.get(0));
  }

  /**
   * Returns whether a limit is near. Free memory of pools is not in use, but it cannot serve every
   * allocation. Therefore it counts if allocations fail.
   */
  private static boolean isNear(LimitWatch.Watched limit, long near) {
    boolean isCounted = limit.failed.recent() > 0 && limit.counted.max(SPAN_SECONDS) >= near;
    return isCounted || limit.used.max(SPAN_SECONDS) >= near;
  }

  /**
   * Returns whether most of the use may be garbage: direct buffers outside of pools that are
   * younger than the last collection of all objects. The JVM requests a collection before it
   * exceeds the limit.
   */
  private static boolean isUnsettled(Facts facts, LimitWatch.Watched limit) {
    long outside = facts.series().direct.now();
    boolean isFull = limit.used.min(CERTAIN_MILLIS / 1_000) >= FULL * limit.limitBytes;
    return limit.name.equals(LimitWatch.DIRECT)
        && limit.isMost(outside)
        && !facts.collections().hasLeftMost(outside)
        && !isFull;
  }

  private static Finding finding(Facts facts, LimitWatch.Watched limit, long near) {
    boolean isInUse = limit.used.max(SPAN_SECONDS) >= near;
    TimeSeries used = isInUse ? limit.used : limit.counted;
    long peak = used.max(SPAN_SECONDS);
    long failed = limit.failed.recent();
    boolean isContainer = limit.name.equals(LimitWatch.CONTAINER);
    boolean isLasting =
        used.min(CERTAIN_MILLIS / 1_000) >= near && used.coveredMillis() >= CERTAIN_MILLIS;
    boolean isCertain = failed > 0 || isLasting || used.peaks(near) > 1;
    boolean isNow = used.now() >= near || failed > 0;
    boolean isUnsettled = failed == 0 && isUnsettled(facts, limit);
    List<String> evidence = new ArrayList<>();
    evidence.add(
        TextFormat.bytes(used.now())
            + (isInUse ? " are in use now, " : " are reserved now, ")
            + TextFormat.bytes(used.max(TimeUnit.MINUTES.toSeconds(10)))
            + " at the peak of the last ten minutes; limit "
            + limit.name);
    long failures = facts.series().failed.all();
    if (failures > 0) {
      evidence.add(
          TextFormat.count(failures, "allocation")
              + " failed since the start, "
              + failed
              + " of them at this limit in the last ten minutes");
    }
    if (isUnsettled) {
      evidence.add("most of it is younger than the last full collection, and may be garbage");
    }
    long leftToNetty = facts.report().copies().stream().mapToLong(PoolReport::fellBack).sum();
    if (leftToNetty > 0) {
      evidence.add(TextFormat.count(leftToNetty, "allocation") + " left to Netty");
    }
    return new Finding(
        Kind.LIMIT_TOO_SMALL,
        isNow && !isUnsettled ? Level.CRITICAL : Level.WARNING,
        isCertain && !isContainer && !isUnsettled ? Confidence.HIGH : Confidence.MEDIUM,
        peak,
        facts.timeBefore(used.millisSinceAtLeast(near)),
        TextFormat.bytes(peak)
            + " of "
            + TextFormat.bytes(limit.limitBytes)
            + (isContainer ? " of the container" : " direct memory")
            + (isInUse ? " are used" : " are reserved"),
        evidence,
        isContainer
            ? "compare the parts of the memory with the limit; raise it only if none of them grows"
            : "raise -XX:MaxDirectMemorySize (or Netty's maxDirectMemory), or lower the load; no"
                + " site grows if this is the first finding",
        "");
  }
}
