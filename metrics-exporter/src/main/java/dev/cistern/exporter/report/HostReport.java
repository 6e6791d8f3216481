/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

import java.util.List;

/**
 * Report of a process at one moment.
 *
 * @param host who it is
 * @param timeMillis the moment, milliseconds since the epoch
 * @param failures faults of Cistern itself that it kept from the application, since its start
 * @param controlRefusals commands of files that were refused, since its start
 * @param copies each copy of Netty that was found, or each pool of a library user
 * @param statsFile how the writing of its stats file goes
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

  /** The same, with how the writing of its stats file goes. */
  public HostReport withStatsFile(StatsFileReport file) {
    return new HostReport(
        host, timeMillis, failures, controlRefusals, copies, file, memory, diagnosis);
  }

  /** Returns the same with a measurement of memory and a diagnosis. */
  public HostReport with(MemoryReport measured, Diagnosis made) {
    return new HostReport(
        host, timeMillis, failures, controlRefusals, copies, statsFile, measured, made);
  }

  /** The application's name as configured; empty if it has none. */
  public String application() {
    return host.application();
  }
}
