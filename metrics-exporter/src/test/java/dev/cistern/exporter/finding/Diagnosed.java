/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import dev.cistern.exporter.process.Cgroup;
import dev.cistern.exporter.process.JavaBeans;
import dev.cistern.exporter.process.ProcessMemory;
import dev.cistern.exporter.report.Diagnosis;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.MemoryReport;
import dev.cistern.exporter.report.MemoryReport.PartBytes;
import dev.cistern.exporter.report.Part;
import java.util.ArrayList;
import java.util.List;

/** Reports with a measurement of memory and with the diagnosis of one reading. */
public final class Diagnosed {
  private static final long MIB = 1L << 20;
  private static final long WATCHED_MILLIS = 300_000;

  private Diagnosed() {}

  /** Returns a report with findings, in a container of 1 GiB. */
  public static HostReport of(HostReport report) {
    MemoryReport memory = memory(report.timeMillis());
    JavaBeans.Figures beans =
        new JavaBeans.Figures(
            90 * MIB, 128 * MIB, 256 * MIB, 40 * MIB, 30 * MIB, 40, 5 * MIB, 42, 7, 1, true, true);
    Diagnostician diagnostician = new Diagnostician();
    Facts facts =
        diagnostician.add(
            report,
            WATCHED_MILLIS,
            memory,
            beans,
            new Cgroup(1024 * MIB, 400 * MIB),
            new ProcessMemory.Arenas(3, 20 * MIB),
            null);
    return report.with(memory, diagnostician.conclude(facts));
  }

  /** Returns a measurement in which each part has bytes. */
  public static MemoryReport memory(long timeMillis) {
    List<PartBytes> parts = new ArrayList<>();
    long sum = 0;
    for (Part part : Part.values()) {
      long bytes = (3L + part.ordinal()) * 4 * MIB;
      parts.add(new PartBytes(part, bytes));
      sum += bytes;
    }
    return new MemoryReport(timeMillis, sum, ProcessMemory.MAPPED, parts);
  }

  /** Returns a report with a value for each metric of the memory and of the diagnosis. */
  public static HostReport everything(HostReport report) {
    HostReport made = of(report);
    Diagnosis diagnosis = made.diagnosis();
    return made.with(
        made.memory(),
        new Diagnosis(
            diagnosis.watchedMillis(),
            diagnosis.findings(),
            List.of("BrokenRule"),
            List.of(
                new Diagnosis.Limit("direct", 900 * MIB, 1024 * MIB, 540_000, 420_000, 780_000)),
            List.of(
                new Diagnosis.AdviceTerm("direct_peak", 900 * MIB),
                new Diagnosis.AdviceTerm(Diagnosis.AdviceTerm.DIRECT, 1136 * MIB),
                new Diagnosis.AdviceTerm(Diagnosis.AdviceTerm.CONTAINER, 2048 * MIB)),
            List.of(
                new Diagnosis.Need(
                    "io.netty", "direct", "pooled-1", 64 * MIB, 48 * MIB, 40 * MIB, 125_000)),
            List.of(
                new Diagnosis.Largest(
                    1,
                    "hour",
                    "io.netty",
                    "direct",
                    "com.shop.Upload.read:17",
                    512 * MIB,
                    report.timeMillis())),
            new Diagnosis.Collectable(30 * MIB, 5 * MIB, 12_000)));
  }
}
