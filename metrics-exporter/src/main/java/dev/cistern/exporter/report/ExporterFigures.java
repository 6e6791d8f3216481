/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

import dev.cistern.exporter.schema.Figure;
import dev.cistern.exporter.schema.Scope;

/** Figures of an exporter itself. Figures of missing parts are absent. */
public final class ExporterFigures {
  /** An exporter. */
  public static final Scope<ExporterState> EXPORTER = Scope.root("exporter");

  /** Refused requests, by reason. */
  public static final Scope<ExporterState.Part> REFUSAL =
      EXPORTER
          .child(1, "refusals", 16, state -> state.parts("reason"))
          .label("reason", part -> part.name());

  /** Commands, by result. */
  public static final Scope<ExporterState.Part> COMMAND =
      EXPORTER
          .child(2, "commands", 16, state -> state.parts("result"))
          .label("result", part -> part.name());

  /** Pushes, by kind of receiver. */
  private static final Scope<ExporterState.Pushes> PUSH =
      EXPORTER
          .child(3, "pushes", 16, ExporterState::pushes)
          .label("receiver", pushes -> pushes.receiver());

  private ExporterFigures() {}

  private static Figure<ExporterState> gauge(int number, String name) {
    return EXPORTER.gauge(number, name, state -> state.get(name));
  }

  private static Figure<ExporterState> counter(int number, String name) {
    return EXPORTER.counter(number, name, state -> state.get(name));
  }

  /** Whether this scrape could read the pools. */
  public static final Figure<ExporterState> UP =
      gauge(1, "cistern_up")
          .help(
              "1 if this scrape read the pools, otherwise 0; then only this metric and the next two"
                  + " are exported.");

  /** Duration of a scrape. */
  public static final Figure<ExporterState> SCRAPE_DURATION =
      gauge(2, "cistern_scrape_duration_seconds").help("Duration of reading all pools.");

  /** Failed scrapes. */
  public static final Figure<ExporterState> SCRAPE_ERRORS =
      counter(3, "cistern_scrape_errors_total")
          .help("Number of scrapes since start that could not read the pools.");

  /** Series that are left out. */
  public static final Figure<ExporterState> SERIES_DROPPED =
      gauge(4, "cistern_series_dropped")
          .help(
              "Current number of series that this scrape omits because a process exceeds its limit;"
                  + " seriesLimit raises it.");

  /** Dumps. */
  public static final Figure<ExporterState> DUMPS =
      counter(5, "cistern_dumps_total").help("Number of diagnostics dumps written since start.");

  /** Failed dumps. */
  public static final Figure<ExporterState> DUMP_FAILURES =
      counter(6, "cistern_dump_failures_total")
          .help(
              "Number of dumps since start that could not be written, or after which old ones could"
                  + " not be removed.");

  /** Skipped dumps. */
  public static final Figure<ExporterState> DUMPS_SKIPPED =
      counter(7, "cistern_dumps_skipped_total")
          .help(
              "Number of dumps skipped since start because another one was being written, or, if"
                  + " automatic, because the last one began less than a minute before.");

  /** Rejected connections. */
  public static final Figure<ExporterState> CONNECTIONS_REJECTED =
      counter(8, "cistern_http_connections_rejected_total")
          .help(
              "Number of connections that the endpoint closed since start because too many were"
                  + " open.");

  /** Failed pages. */
  public static final Figure<ExporterState> PAGE_FAILURES =
      counter(9, "cistern_http_page_failures_total")
          .help("Number of requests that failed inside a page, with status 500, since start.");

  /** Failed versions of the web configuration. */
  public static final Figure<ExporterState> WEB_CONFIG_RELOAD_FAILURES =
      counter(10, "cistern_web_config_reload_failures_total")
          .help(
              "Number of versions of the web configuration since start that could not be used, so"
                  + " that the previous one stayed in force; absent without a web configuration.");

  /** Load time of the web configuration. */
  public static final Figure<ExporterState> WEB_CONFIG_LOAD_TIME =
      gauge(11, "cistern_web_config_load_timestamp_seconds")
          .help(
              "Time of the load of the web configuration in force, since the epoch; absent without"
                  + " one.");

  /** Expiry time of the certificate. */
  public static final Figure<ExporterState> WEB_CERTIFICATE_EXPIRY =
      gauge(12, "cistern_web_certificate_expiry_timestamp_seconds")
          .help(
              "Time of the expiry of the endpoint's certificate, since the epoch; absent without"
                  + " TLS.");

  /** Refused files. */
  public static final Figure<ExporterState> SIDECAR_FILES_REFUSED =
      gauge(13, "cistern_sidecar_files_refused")
          .help(
              "Current number of refused files in the directory of stats files; the log has the"
                  + " reason.");

  /** Failures of a sidecar. */
  public static final Figure<ExporterState> SIDECAR_FAILURES =
      counter(14, "cistern_sidecar_failures_total")
          .help(
              "Number of times since start that a file or a directory could not be read, kept or"
                  + " removed.");

  /** Post-mortems. */
  public static final Figure<ExporterState> SIDECAR_POSTMORTEMS =
      gauge(15, "cistern_sidecar_postmortems")
          .help("Current number of ended processes whose last state is kept.");

  /** Bytes of post-mortems. */
  public static final Figure<ExporterState> SIDECAR_POSTMORTEM_BYTES =
      gauge(16, "cistern_sidecar_postmortem_bytes").help("Current bytes of all post-mortems.");

  /** Removed post-mortems. */
  public static final Figure<ExporterState> SIDECAR_POSTMORTEMS_REMOVED =
      counter(17, "cistern_sidecar_postmortems_removed_total")
          .help(
              "Number of post-mortems removed since start because they were too old or too many.");

  /** Removed dumps. */
  public static final Figure<ExporterState> DUMPS_REMOVED =
      counter(18, "cistern_dumps_removed_total")
          .help("Number of dumps removed since start to make room for later ones.");

  static {
    pushes();
    REFUSAL
        .counter(1, "cistern_http_requests_refused_total", ExporterState.Part::value)
        .help(
            "Number of requests that got no page since start: no_login (no password or certificate,"
                + " or a wrong one), forbidden (not for this client), rate_limit, busy (too many"
                + " passwords to compare, pages to make, or bytes to send at a time), slow (the"
                + " client did not send its request, or read its response, in time), large (path or"
                + " headers).");
    COMMAND
        .counter(1, "cistern_control_commands_total", ExporterState.Part::value)
        .help(
            "Number of commands to processes since start, counted for each process: accepted"
                + " (written to its control file), refused (malformed, or for an unknown process),"
                + " failed (the file could not be written).");
  }

  private static void pushes() {
    PUSH.counter(1, "cistern_pushes_total", push -> push.figures().pushes())
        .help(
            "Number of requests with metrics or profiles that the receiver accepted since start.");
    PUSH.counter(2, "cistern_push_bytes_total", push -> push.figures().bytes())
        .help("Number of bytes of the accepted requests since start, as they were sent.");
    PUSH.counter(3, "cistern_push_failures_total", push -> push.figures().failures())
        .help("Number of requests that failed since start, including those that were repeated.");
    PUSH.counter(4, "cistern_push_dropped_total", push -> push.figures().dropped())
        .help(
            "Number of requests, or parts of one, that the receiver did not accept since start and"
                + " that are not repeated.");
    PUSH.gauge(
            5, "cistern_push_last_success_timestamp_seconds", push -> push.figures().lastMillis())
        .help("Time of the last accepted request, since the epoch; 0 before the first.");
  }
}
