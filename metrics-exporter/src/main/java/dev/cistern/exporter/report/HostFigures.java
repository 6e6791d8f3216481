/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

import dev.cistern.exporter.schema.Figure;
import dev.cistern.exporter.schema.Scope;
import dev.cistern.exporter.schema.Text;
import java.util.List;

/** Figures of a process. */
public final class HostFigures {
  /** A process. */
  public static final Scope<HostReport> HOST =
      Scope.<HostReport>root("hosts")
          .label("host_id", report -> report.host().id())
          .label("application", HostReport::application);

  /** Whether the process runs. */
  public static final Figure<HostReport> UP =
      HOST.gauge(1, "cistern_host_up", report -> 1)
          .help("1 if the process runs, otherwise 0. Only a sidecar reports 0.")
          .core();

  /** Whether the process has shut down in an orderly way. */
  public static final Figure<HostReport> EXITED_CLEANLY =
      HOST.gauge(2, "cistern_host_exited_cleanly", report -> 0)
          .help(
              "1 if the process has ended by itself or by SIGTERM, otherwise 0: while it runs, and"
                  + " after it was killed or has crashed.")
          .core();

  /** Time of the last heartbeat. */
  static final Figure<HostReport> HEARTBEAT =
      HOST.gauge(3, "cistern_host_heartbeat_timestamp_seconds", HostReport::timeMillis)
          .help("Time of the last heartbeat of the process, since the epoch.")
          .core();

  /** Time of the start. */
  public static final Figure<HostReport> START_TIME =
      HOST.gauge(4, "cistern_start_time_seconds", report -> report.host().startMillis())
          .help("Time of the start of Cistern in this process, since the epoch.")
          .core();

  /** Time of the report. */
  static final Figure<HostReport> REPORT_TIME =
      HOST.gauge(5, "cistern_report_timestamp_seconds", HostReport::timeMillis)
          .help(
              "Time of the report that the metrics of the process are from, since the epoch. A"
                  + " process that cannot report has an old one, although its heartbeat is recent.")
          .core();

  /** Faults of the agent. */
  public static final Figure<HostReport> AGENT_FAILURES =
      HOST.counter(6, "cistern_agent_failures_total", HostReport::failures)
          .help(
              "Number of faults of the agent itself since start: a copy of Netty that it could not"
                  + " serve, observe or leave, a self-test that failed, a report or a round of its"
                  + " thread. Faults of a pool are not included.")
          .core();

  /** Refused commands. */
  public static final Figure<HostReport> CONTROL_REFUSALS =
      HOST.counter(7, "cistern_control_refusals_total", HostReport::controlRefusals)
          .help(
              "Number of control files, and commands in them, that the agent refused or could not"
                  + " read since start; the log has the reason.")
          .core();

  /** Reports in the stats file. */
  public static final Figure<HostReport> STATS_FILE_WRITES =
      HOST.counter(8, "cistern_stats_file_writes_total", report -> report.statsFile().writes())
          .help(
              "Number of reports written to the process's stats file since start; 0 if there is"
                  + " none.");

  /** Faults of the stats file. */
  public static final Figure<HostReport> STATS_FILE_FAILURES =
      HOST.counter(9, "cistern_stats_file_failures_total", report -> report.statsFile().failures())
          .help(
              "Number of times since start that the stats file could not be created, written or"
                  + " enlarged.")
          .core();

  /** Rows that the stats file leaves out. */
  static final Figure<HostReport> STATS_FILE_ROWS_DROPPED =
      HOST.gauge(10, "cistern_stats_file_rows_dropped", report -> report.statsFile().rowsDropped())
          .help(
              "Current number of rows and stacks that the last report in the stats file omits, so"
                  + " that it fits; statsFileBytes enlarges the file.");

  /** Copies of Netty that Cistern serves. */
  static final Figure<HostReport> SWAPPED_COPIES =
      HOST.gauge(13, "cistern_swapped_copies", report -> copies(report, "swap"))
          .help("Current number of copies of Netty that Cistern's pool serves.")
          .internal()
          .kept();

  /** Copies of Netty that are observed. */
  static final Figure<HostReport> OBSERVED_COPIES =
      HOST.gauge(14, "cistern_observed_copies", report -> copies(report, "observe"))
          .help("Current number of copies of Netty whose own allocators are observed.")
          .internal()
          .kept();

  private static long copies(HostReport report, String mode) {
    return report.copies().stream().filter(copy -> copy.mode().equals(mode)).count();
  }

  /** Version of Cistern. */
  public static final Text<HostReport> VERSION =
      HOST.text(1, "version", "version of Cistern", report -> report.host().version());

  /** Name of the pod. */
  public static final Text<HostReport> POD =
      HOST.text(2, "pod", "name of the pod, as configured", report -> report.host().pod());

  /** Name of the container. */
  public static final Text<HostReport> CONTAINER =
      HOST.text(3, "container", "name of the container, as configured", r -> r.host().container());

  /** Process ID. */
  public static final Text<HostReport> PID =
      HOST.text(
          4,
          "pid",
          "process ID, as the process itself sees it",
          report -> Long.toString(report.host().pid()));

  /** Texts that identify a process. */
  static final List<Text<HostReport>> NAMES = List.of(VERSION, POD, CONTAINER, PID);

  static {
    HOST.info(11, "cistern_build_info", List.of(VERSION), report -> 1)
        .help("Version of Cistern in this process.")
        .core();
    HOST.info(12, "cistern_host_info", List.of(POD, CONTAINER, PID), report -> 1)
        .help("Pod, container and process ID of the process.")
        .core();
  }

  private HostFigures() {}
}
