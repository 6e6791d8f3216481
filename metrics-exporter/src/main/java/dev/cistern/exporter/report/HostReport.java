/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

import java.util.List;

/**
 * Report of a process at one moment.
 *
 * @param host the identity of the process
 * @param timeMillis time of the report, in milliseconds since the epoch
 * @param failures number of faults of Cistern itself since its start, which it hides from the
 *     application
 * @param controlRefusals number of refused commands in control files since start
 * @param copies each copy of Netty that was found, or each pool of a library user
 * @param statsFile figures of the writing of its stats file
 * @param memory its resident memory
 * @param diagnosis conclusions from its reports
 */
public record HostReport(
    HostIdentity host,
    long timeMillis,
    long failures,
    long controlRefusals,
    List<PoolReport> copies,
    StatsFileReport statsFile,
    MemoryReport memory,
    Diagnosis diagnosis) {

  /** Copies the list. */
  public HostReport {
    copies = List.copyOf(copies);
  }

  /** Creates a report without a measurement of memory and without a diagnosis. */
  public HostReport(
      HostIdentity host,
      long timeMillis,
      long failures,
      long controlRefusals,
      List<PoolReport> copies,
      StatsFileReport statsFile) {
    this(
        host,
        timeMillis,
        failures,
        controlRefusals,
        copies,
        statsFile,
        MemoryReport.NONE,
        Diagnosis.NONE);
  }

  /** Creates a report of a process without stats file and control files. */
  public HostReport(HostIdentity host, long timeMillis, long failures, List<PoolReport> copies) {
    this(host, timeMillis, failures, 0, copies, StatsFileReport.NONE);
  }

  /** Returns this report with figures of the writing of the stats file. */
  public HostReport withStatsFile(StatsFileReport file) {
    return new HostReport(
        host, timeMillis, failures, controlRefusals, copies, file, memory, diagnosis);
  }

  /** Returns this report with a measurement of memory and a diagnosis. */
  public HostReport with(MemoryReport measured, Diagnosis made) {
    return new HostReport(
        host, timeMillis, failures, controlRefusals, copies, statsFile, measured, made);
  }

  /** Returns the application's name as configured; empty if it has none. */
  public String application() {
    return host.application();
  }
}
