/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A figure with the target of a scenario.
 *
 * @param figure name of the figure
 * @param value measured value, NaN if there is none
 * @param most the target, an upper limit
 */
record Target(String figure, double value, double most) {
  /** The label of the point that is compared with the target, after so many seconds of idling. */
  static final String AFTER = MemoryChild.IDLE + 20;

  /**
   * The bytes that a sleeping thread may keep; its cache is reclaimed (docs/internals/memory.md).
   */
  static final long BYTES_PER_IDLE_THREAD = 0;

  private static final long CHUNK_BYTES = 4L << 20;
  private static final double MIB = 1 << 20;
  private static final double MAX_RATIO_TO_POOLED = 0.9;
  private static final double MAX_HEAP_PERCENT = 5;
  private static final double MAX_RATIO_TO_KEPT = 2;
  private static final double MAX_GROWTH = 1.1;
  private static final double MAX_HEAP_GROWTH_MIB = 1;

  boolean isMet() {
    return value <= most;
  }

  /** Returns the cells of a table: the value, the target, and whether it is met. */
  String cells() {
    return Double.isNaN(value)
        ? figure + " | - | - | -"
        : String.format(
            Locale.ROOT, "%s | %.2f | %.2f | %s", figure, value, most, isMet() ? "met" : "NOT MET");
  }

  /**
   * Returns the figures of an outcome. Those relative to Netty's pooled allocator need its outcome.
   */
  static List<Target> of(Outcome outcome, @Nullable Outcome pooled) {
    List<Target> targets = new ArrayList<>();
    switch (outcome.scenario) {
      case TRACE_SOCKET, TRACE_UPLOADS -> {
        targets.add(
            new Target(
                "peak reserved / pooled's", peakRatio(outcome, pooled), MAX_RATIO_TO_POOLED));
        targets.add(
            new Target("Java heap, percent of reserved", heapPercent(outcome), MAX_HEAP_PERCENT));
      }
      case BURST_OWNER, BURST_RANDOM, BURST_REMOTE, BURST_HALF -> {
        long most = arenas() * CHUNK_BYTES + Bed.LOOPS * BYTES_PER_IDLE_THREAD;
        targets.add(
            new Target("MiB reserved after 20 s", reserved(outcome, AFTER) / MIB, most / MIB));
      }
      case BURST_CYCLES -> {
        double first = reserved(outcome, BurstCycles.label(1));
        double last = reserved(outcome, BurstCycles.label(BurstCycles.CYCLES));
        targets.add(
            new Target(
                "MiB reserved, last pause less first",
                (last - first) / MIB,
                arenas() * CHUNK_BYTES / MIB));
      }
      case LONG_LIVED_KIB, LONG_LIVED_MIXED, LONG_LIVED_WAVES ->
          targets.add(
              new Target(
                  "reserved after 20 s / kept",
                  reserved(outcome, AFTER) / outcome.number("kept-bytes"),
                  MAX_RATIO_TO_KEPT));
      case SHORT_THREADS, SHORT_PLAIN_THREADS -> {
        double first = reserved(outcome, ShortThreads.label(1_000));
        targets.add(
            new Target(
                "reserved after 10,000 / 1,000 threads",
                reserved(outcome, ShortThreads.label(10_000)) / first,
                MAX_GROWTH));
        targets.add(
            new Target("MiB of Java heap grown", heapGrowth(outcome) / MIB, MAX_HEAP_GROWTH_MIB));
      }
    }
    return targets;
  }

  /** Returns the default number of arenas for direct memory. */
  static int arenas() {
    return dev.cistern.buffer.PooledByteBufAllocator.defaultNumDirectArena();
  }

  private static double reserved(Outcome outcome, String label) {
    Point point = outcome.point(label);
    return point == null ? Double.NaN : point.reserved();
  }

  private static double peakRatio(Outcome outcome, @Nullable Outcome pooled) {
    return pooled == null ? Double.NaN : reserved(outcome, "peak") / reserved(pooled, "peak");
  }

  /**
   * Returns how much the allocator, its buffers and its metadata add to the Java heap, in percent
   * of the reserved memory.
   */
  static double heapPercent(Outcome outcome) {
    Point crest = outcome.point("crest");
    return crest == null
        ? Double.NaN
        : 100 * (crest.heap() - outcome.number("heap-before")) / crest.reserved();
  }

  private static double heapGrowth(Outcome outcome) {
    Point first = outcome.point(ShortThreads.label(1_000));
    Point last = outcome.point(ShortThreads.label(10_000));
    return first == null || last == null ? Double.NaN : last.heap() - first.heap();
  }
}
