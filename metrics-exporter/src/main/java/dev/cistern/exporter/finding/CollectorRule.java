/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import dev.cistern.exporter.report.Finding;
import dev.cistern.exporter.report.Finding.Confidence;
import dev.cistern.exporter.report.Finding.Kind;
import dev.cistern.exporter.report.Finding.Level;
import dev.cistern.exporter.report.TextFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Rule for direct buffers outside of pools: those that only a garbage collection frees, and those
 * that the application holds.
 *
 * <p>Reason: the memory of such a buffer is freed after the collector has found its object. If a
 * collection frees much, the buffers were garbage, unless the application also frees much without a
 * collection. If the buffers grow over a collection of all objects, the application holds them.
 * Before a collection, both cases look alike.
 */
final class CollectorRule implements Rule {
  private static final long SPAN_SECONDS = 60;
  private static final long SLOW_SPAN_SECONDS = 270;
  private static final long MIN_BYTES = 48L << 20;
  private static final String REQUEST = "POST /debug/gc requests a collection and settles it";

  @Override
  public List<Finding> find(Facts facts) {
    CollectionWatch collections = facts.collections();
    long now = facts.series().direct.now();
    long peak = facts.series().direct.max(TimeUnit.MINUTES.toSeconds(10));
    long freed = collections.largestFreed(facts.millis());
    if (freed >= CollectionWatch.MIN_FREED
        && 10 * freed >= 4 * collections.largestBefore()
        && peak >= MIN_BYTES) {
      boolean isFarMore = now > 2 * collections.largestBefore(); // than at any collection
      List<Finding> held = isFarMore ? held(facts, now) : List.of();
      return held.isEmpty() ? List.of(garbage(facts, now, freed, peak)) : held;
    }
    TimeSeries.Growth growth = growth(facts, SPAN_SECONDS);
    long sinceLast = collections.millisSinceLast(facts.millis());
    boolean hasCollected = sinceLast >= 0 && sinceLast <= growth.millis();
    return isGrowth(growth) && !hasCollected
        ? List.of(undecided(facts, now, growth))
        : held(facts, now);
  }

  /**
   * Returns the growth over a span, or over the long span if the memory does not grow over the
   * first.
   */
  private static TimeSeries.Growth growth(Facts facts, long seconds) {
    TimeSeries.Growth growth = facts.series().direct.growth(seconds);
    return isGrowth(growth) ? growth : facts.series().direct.growth(SLOW_SPAN_SECONDS);
  }

  private static boolean isGrowth(TimeSeries.Growth growth) {
    return growth.bytes() >= MIN_BYTES && growth.isSteady();
  }

  private static Finding garbage(Facts facts, long now, long freed, long peak) {
    CollectionWatch collections = facts.collections();
    boolean isCertain = collections.hasFreedForCertain(facts.millis());
    boolean isDoubtful =
        !isCertain && (collections.doesRelease(facts.millis()) || collections.isCoincidence());
    boolean isUnclear = isDoubtful && !collections.mayHaveFreedUncounted(facts.millis());
    Confidence doubt = isUnclear ? Confidence.LOW : Confidence.MEDIUM;
    long waiting = Math.max(freed, now - collections.lastAfter());
    List<String> evidence = new ArrayList<>();
    evidence.add(
        "up to "
            + TextFormat.bytes(peak)
            + " of direct buffers outside of pools in the last ten minutes");
    evidence.add(
        TextFormat.bytes(Math.max(0, now - collections.lastAfter()))
            + " more since the last collection, "
            + TextFormat.duration(collections.millisSinceLast(facts.millis()))
            + " ago");
    return new Finding(
        Kind.COLLECTOR,
        waiting >= 2 * MIN_BYTES && !isUnclear ? Level.WARNING : Level.NOTICE,
        isCertain ? Confidence.HIGH : doubt,
        waiting,
        0,
        "Direct buffers wait for the garbage collector: one collection freed "
            + TextFormat.bytes(freed)
            + " of "
            + TextFormat.bytes(collections.largestBefore()),
        evidence,
        "release these buffers, or allocate them from a pool; a lower -XX:MaxDirectMemorySize makes"
            + " the JVM collect earlier",
        "");
  }

  private static Finding undecided(Facts facts, long now, TimeSeries.Growth growth) {
    boolean isLasting =
        Facts.isLasting(facts.series().direct) && !facts.collections().doesRelease(facts.millis());
    return new Finding(
        Kind.COLLECTOR,
        isLasting || facts.limits().isNearByBuffers(now) ? Level.WARNING : Level.NOTICE,
        isLasting ? Confidence.MEDIUM : Confidence.LOW,
        now,
        facts.timeBefore(growth.millis()),
        "Direct buffers outside of pools grow, and no garbage collection has run since: "
            + TextFormat.bytes(now),
        List.of(
            TextFormat.change(growth.bytes()) + " in " + TextFormat.duration(growth.millis()),
            "if they are garbage, only a collection frees them; if not, the application holds them"),
        REQUEST,
        "");
  }

  /** Returns the finding for growth that continued after collections. */
  private static List<Finding> held(Facts facts, long now) {
    TimeSeries.Growth growth = growth(facts, 2 * SPAN_SECONDS);
    CollectionWatch collections = facts.collections();
    long sinceLast = collections.millisSinceLast(facts.millis());
    if (!isGrowth(growth)
        || sinceLast < 0
        || sinceLast > growth.millis()
        || 10 * collections.freed(facts.millis(), growth.millis()) > growth.bytes()) {
      return List.of();
    }
    boolean isWhole = collections.hasWholeLeft(facts.millis(), now);
    Confidence late = isWhole ? Confidence.HIGH : Confidence.MEDIUM;
    boolean isLasting = Facts.isLasting(facts.series().direct);
    return List.of(
        new Finding(
            Kind.JDK_DIRECT,
            isLasting ? Level.WARNING : Level.NOTICE,
            isLasting ? late : Confidence.LOW,
            now,
            facts.timeBefore(growth.millis()),
            "Direct buffers outside of Netty and of Cistern grow: " + TextFormat.bytes(now),
            List.of(
                TextFormat.change(growth.bytes()) + " in " + TextFormat.duration(growth.millis()),
                isWhole
                    ? "the last collection of all objects did not free them"
                    : "collections of young objects meanwhile did not free them",
                TextFormat.count(facts.beans().directBuffers(), "buffer") + " in all"),
            isWhole
                ? "look for callers of ByteBuffer.allocateDirect that keep its results"
                : REQUEST + "; then look for callers of ByteBuffer.allocateDirect",
            ""));
  }
}
