/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import dev.cistern.exporter.process.NativeHeap;
import dev.cistern.exporter.process.ProcessMemory;
import dev.cistern.exporter.report.Finding;
import dev.cistern.exporter.report.Finding.Confidence;
import dev.cistern.exporter.report.Finding.Kind;
import dev.cistern.exporter.report.Finding.Level;
import dev.cistern.exporter.report.Part;
import dev.cistern.exporter.report.TextFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Rule for native memory that malloc keeps.
 *
 * <p>Reason: much native memory is in arenas of glibc, and it does not grow. Memory that many
 * threads have freed stays in their arenas. A native library that uses the same amount looks the
 * same: only a trim shows how much memory was free.
 */
final class MallocRule implements Rule {
  private static final long MIN_BYTES = 128L << 20;
  private static final double MIN_PART = 0.25;
  private static final double MIN_IN_ARENAS = 0.6;
  private static final int MIN_ARENAS = 6;

  /** Time of two measurements, unless slow measurements are less frequent than once a minute. */
  private static final long STEADY_SECONDS = 75;

  /** Maximum age of a trim. It has no meaning for memory that was freed long after it. */
  private static final long RECENT_MILLIS = TimeUnit.MINUTES.toMillis(10);

  @Override
  public List<Finding> find(Facts facts) {
    ProcessMemory.Arenas arenas = facts.arenas();
    long bytes = facts.memory().bytes(Part.NATIVE);
    NativeHeap.Trim trim = facts.trim();
    boolean isTrimmed =
        trim != null
            && trim.freedBytes() >= MIN_BYTES / 2
            && facts.report().timeMillis() - trim.timeMillis() < RECENT_MILLIS;
    boolean isInArenas =
        bytes >= MIN_BYTES
            && facts.isPartOfResident(bytes, MIN_PART)
            && arenas.count() >= MIN_ARENAS
            && arenas.bytes() >= MIN_IN_ARENAS * bytes;
    boolean isSteady = isSteady(facts.series().nativeBytes, bytes);
    return isTrimmed || (isInArenas && isSteady)
        ? List.of(finding(bytes, arenas, isTrimmed ? trim : null))
        : List.of(); // another rule finds growth
  }

  private static boolean isSteady(TimeSeries series, long bytes) {
    return series.coveredMillis() >= STEADY_SECONDS * 1_000
        && 10 * (bytes - series.min(STEADY_SECONDS)) <= bytes;
  }

  private static Finding finding(
      long bytes, ProcessMemory.Arenas arenas, NativeHeap.@Nullable Trim trim) {
    List<String> evidence = new ArrayList<>();
    evidence.add(
        TextFormat.bytes(arenas.bytes())
            + " are in "
            + TextFormat.count(arenas.count(), "arena")
            + " of malloc and its main heap");
    evidence.add(
        trim == null
            ? "this memory does not grow"
            : "the last trim gave "
                + TextFormat.bytes(trim.freedBytes())
                + " back to the operating system");
    return new Finding(
        Kind.MALLOC,
        trim != null ? Level.WARNING : Level.NOTICE,
        trim != null ? Confidence.HIGH : Confidence.LOW,
        trim == null ? bytes : trim.freedBytes(),
        0,
        trim == null
            ? "malloc keeps native memory: " + TextFormat.bytes(bytes) + " outside of all pools"
            : "malloc had kept native memory that was free: " + TextFormat.bytes(trim.freedBytes()),
        evidence,
        trim == null
            ? "POST /debug/trim makes malloc return free memory; MALLOC_ARENA_MAX=2 or another"
                + " malloc keeps less"
            : "set MALLOC_ARENA_MAX=2, or use another malloc such as jemalloc",
        "");
  }
}
