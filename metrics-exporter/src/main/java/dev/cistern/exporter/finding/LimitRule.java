/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import dev.cistern.exporter.report.CopyReport;
import dev.cistern.exporter.report.Finding;
import dev.cistern.exporter.report.Finding.Confidence;
import dev.cistern.exporter.report.Finding.Kind;
import dev.cistern.exporter.report.Finding.Level;
import dev.cistern.exporter.report.TextFormat;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Use that reaches a limit.
 *
 * <p>Reason: memory in use, without what pools have free, is at nine tenths of the limit or above.
 * The rule finds it in each case; if another cause explains the use, that one is shown before.
 */
final class LimitRule implements Rule {
  private static final double NEAR = 0.9;
  private static final long SPAN_SECONDS = 60;
  private static final long CERTAIN_MILLIS = TimeUnit.SECONDS.toMillis(25);

  @Override
  public List<Finding> find(Facts facts) {
    List<Finding> found = new ArrayList<>();
    for (LimitWatch.Watched each : facts.limits().limits()) {
      long near = (long) (NEAR * each.limitBytes);
      if (each.limitBytes > 0 && each.used.max(SPAN_SECONDS) >= near) {
        found.add(finding(facts, each, near));
      }
    }
    // a limit that fails before one that is only near, and the container last
    found.sort(
        Comparator.comparing(Finding::level, Comparator.reverseOrder())
            .thenComparing(Finding::confidence, Comparator.reverseOrder()));
    return found.isEmpty() ? List.of() : List.of(found.get(0));
  }

  private static Finding finding(Facts facts, LimitWatch.Watched limit, long near) {
    TimeSeries used = limit.used;
    long peak = used.max(SPAN_SECONDS);
    TimeSeries failures = facts.series().failed();
    long failed = failures.now() - failures.min(TimeUnit.MINUTES.toSeconds(10));
    boolean isContainer = limit.name.equals(LimitWatch.CONTAINER);
    boolean isLasting =
        used.min(CERTAIN_MILLIS / 1_000) >= near && used.coveredMillis() >= CERTAIN_MILLIS;
    boolean isCertain = failed > 0 || isLasting || used.peaks(near) > 1;
    boolean isNow = used.now() >= near || failed > 0;
    List<String> evidence = new ArrayList<>();
    evidence.add(
        TextFormat.bytes(used.now())
            + " are in use now, "
            + TextFormat.bytes(used.max(TimeUnit.MINUTES.toSeconds(10)))
            + " at the peak of the last ten minutes; limit "
            + limit.name);
    if (failures.now() > 0) {
      evidence.add(
          TextFormat.count(failures.now(), "allocation")
              + " failed since the start, "
              + failed
              + " of them in these minutes");
    }
    long leftToNetty = facts.report().copies().stream().mapToLong(CopyReport::fellBack).sum();
    if (leftToNetty > 0) {
      evidence.add(TextFormat.count(leftToNetty, "allocation") + " left to Netty");
    }
    return new Finding(
        Kind.LIMIT_TOO_SMALL,
        isNow ? Level.CRITICAL : Level.WARNING,
        isCertain && !isContainer ? Confidence.HIGH : Confidence.MEDIUM,
        peak,
        facts.timeBefore(used.millisSinceAtLeast(near)),
        TextFormat.bytes(peak)
            + " of "
            + TextFormat.bytes(limit.limitBytes)
            + (isContainer ? " of the container are used" : " direct memory are used"),
        evidence,
        isContainer
            ? "compare the parts of the memory with the limit; raise it only if none of them grows"
            : "raise -XX:MaxDirectMemorySize (or Netty's maxDirectMemory), or lower the load; no"
                + " site grows if this is the first finding",
        "");
  }
}
