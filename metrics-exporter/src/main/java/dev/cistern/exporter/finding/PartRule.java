/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import dev.cistern.exporter.report.Finding;
import dev.cistern.exporter.report.Finding.Confidence;
import dev.cistern.exporter.report.Finding.Kind;
import dev.cistern.exporter.report.Finding.Level;
import dev.cistern.exporter.report.Part;
import dev.cistern.exporter.report.TextFormat;
import java.util.ArrayList;
import java.util.List;

/**
 * Rule for growth of a part of the memory outside of buffers: mapped files, metaspace, native
 * memory.
 *
 * <p>Reason: the part grows steadily. A process that starts loads classes and maps files for a
 * while, and an index may be mapped later. Therefore growth is of low confidence until it has
 * lasted. A mapped file takes no memory until it is read or written, so that only resident files
 * increase the confidence.
 */
final class PartRule implements Rule {
  private static final long SPAN_SECONDS = 90;
  private static final long CERTAIN_SECONDS = 570;
  private static final long MIN_BYTES = 24L << 20;
  private static final long NATIVE_SPAN_SECONDS = 180;

  /** Part of the resident memory below which mapped files are of minor importance. */
  private static final double MIN_PART = 0.1;

  @Override
  public List<Finding> find(Facts facts) {
    List<Finding> found = new ArrayList<>();
    add(
        found,
        facts,
        new Case(
            Kind.MAPPED_FILES,
            Part.MAPPED_FILES,
            "Mapped files",
            "look for callers of FileChannel.map; a mapping ends with the collection of its buffer"),
        facts.series().mapped,
        SPAN_SECONDS);
    add(
        found,
        facts,
        new Case(
            Kind.METASPACE,
            Part.METASPACE,
            "The metaspace",
            "run 'jcmd <pid> VM.classloader_stats' twice, and look for class loaders that increase;"
                + " -XX:MaxMetaspaceSize limits it"),
        facts.series().metaspace,
        SPAN_SECONDS);
    add(
        found,
        facts,
        new Case(
            Kind.NATIVE,
            Part.NATIVE,
            "Native memory",
            "start the JVM with -XX:NativeMemoryTracking=summary, and look at native libraries"),
        facts.series().nativeBytes,
        NATIVE_SPAN_SECONDS);
    return found;
  }

  /** Returns whether resident files grow. Measurements are a minute apart, or more. */
  private static boolean growsInMemory(Facts facts) {
    TimeSeries resident = facts.series().residentFiles;
    return resident.coveredMillis() == 0 // not known
        || resident.now() - resident.min(CERTAIN_SECONDS) >= MIN_BYTES;
  }

  private record Case(Kind kind, Part part, String name, String next) {}

  private static void add(
      List<Finding> to, Facts facts, Case of, TimeSeries series, long spanSeconds) {
    TimeSeries.Growth growth = series.growth(spanSeconds);
    boolean isMeasuredRarely = of.kind == Kind.NATIVE; // once a minute, or less often
    boolean isGrowth = growth.isSteady() && growth.bytes() >= MIN_BYTES;
    if (isMeasuredRarely && !isGrowth) {
      growth = series.growth(CERTAIN_SECONDS);
      isGrowth = growth.isSteady() && growth.bytes() >= 2 * MIN_BYTES;
    }
    if (!isGrowth) {
      return;
    }
    boolean isLasting =
        isMeasuredRarely ? series.isLasting(CERTAIN_SECONDS) : Facts.isLasting(series);
    boolean isCertain = series.growth(CERTAIN_SECONDS).isSteady() && !isMeasuredRarely;
    long bytes = series.now();
    if (of.kind == Kind.MAPPED_FILES) {
      long resident = facts.series().residentFiles.now();
      bytes = resident > 0 ? Math.min(resident, bytes) : bytes;
      isLasting &= growsInMemory(facts);
      isCertain &= facts.isPartOfResident(bytes, MIN_PART);
    }
    Confidence late = isCertain ? Confidence.HIGH : Confidence.MEDIUM;
    to.add(
        new Finding(
            of.kind,
            isLasting ? Level.WARNING : Level.NOTICE,
            isLasting ? late : Confidence.LOW,
            bytes,
            facts.timeBefore(growth.millis()),
            of.name
                + " grow"
                + (of.kind == Kind.MAPPED_FILES ? "" : "s")
                + ", outside of what Cistern sees: "
                + TextFormat.bytes(series.now()),
            List.of(
                TextFormat.change(growth.bytes()) + " in " + TextFormat.duration(growth.millis()),
                TextFormat.bytes(facts.memory().bytes(of.part))
                    + " of it were resident at the last measurement"),
            of.next,
            ""));
  }
}
