/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import dev.cistern.exporter.report.Finding;
import dev.cistern.exporter.report.Finding.Confidence;
import dev.cistern.exporter.report.Finding.Kind;
import dev.cistern.exporter.report.Finding.Level;
import dev.cistern.exporter.report.TextFormat;
import java.util.List;

/**
 * Rule for a Java heap that fills.
 *
 * <p>Reason: the used heap after collections rises towards its limit. The used heap between
 * collections proves nothing, because it contains garbage.
 */
final class JavaHeapRule implements Rule {
  private static final long SPAN_SECONDS = 60;
  private static final double HIGH_PART = 0.4;
  private static final double FULL_PART = 0.85;

  /** Growth over the span, as a part of the heap. */
  private static final double MIN_GROWTH = 0.08;

  @Override
  public List<Finding> find(Facts facts) {
    TimeSeries after = facts.collections().heapAfter();
    long max = facts.beans().heapMax();
    long lowest = after.min(SPAN_SECONDS / 2);
    TimeSeries.Growth growth = after.growthOfLow(SPAN_SECONDS);
    boolean isFull =
        after.min(SPAN_SECONDS) >= FULL_PART * max && after.coveredMillis() >= SPAN_SECONDS * 1_000;
    boolean isRising =
        growth.isSteady() && growth.bytes() >= MIN_GROWTH * max && lowest >= HIGH_PART * max;
    long sinceLast = facts.collections().millisSinceLast(facts.millis());
    boolean isRecent = sinceLast >= 0 && sinceLast <= SPAN_SECONDS * 1_000;
    if (max <= 0 || !isRecent || (!isFull && !isRising)) {
      return List.of();
    }
    Confidence full = isRising ? Confidence.HIGH : Confidence.MEDIUM;
    return List.of(
        new Finding(
            Kind.JAVA_HEAP,
            isFull ? Level.CRITICAL : Level.NOTICE,
            isFull ? full : Confidence.LOW,
            after.now(),
            facts.timeBefore(growth.millis()),
            "The Java heap fills up, outside of what Cistern sees: "
                + TextFormat.bytes(after.now())
                + " of "
                + TextFormat.bytes(max)
                + " are used after collections",
            List.of(
                TextFormat.change(growth.bytes()) + " after collections in the last minute",
                TextFormat.count(facts.collections().collections(), "collection") + " were seen"),
            "take a heap dump with 'jcmd <pid> GC.heap_dump', and look at its largest objects",
            ""));
  }
}
