/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.report;

import dev.cistern.agent.config.AgentConfig;
import dev.cistern.agent.log.Log;
import dev.cistern.exporter.ExporterOptions;
import dev.cistern.exporter.ExporterServer;
import dev.cistern.exporter.dump.DiagnosticsDump;
import dev.cistern.exporter.metrics.SeriesOptions;
import dev.cistern.exporter.report.ExporterState;
import dev.cistern.exporter.schema.Detail;
import dev.cistern.exporter.web.WebConfigException;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The agent's HTTP endpoint. */
final class Endpoint {
  private static final Endpoint NONE = new Endpoint("no endpoint", null);

  private final String description;
  private final @Nullable AutoCloseable server;

  private Endpoint(String description, @Nullable AutoCloseable server) {
    this.description = description;
    this.server = server;
  }

  /** Returns its URL as part of a message, or a text that there is no endpoint. */
  String description() {
    return description;
  }

  /** Closes its port. */
  void close() {
    if (server != null) {
      try {
        server.close();
      } catch (Exception failed) {
        Log.line("cannot close the endpoint: " + failed);
      }
    }
  }

  /**
   * Opens the endpoint as configured. Logs a failure.
   *
   * @param figures adds figures to each scrape
   */
  static Endpoint open(
      AgentConfig config,
      AgentReport report,
      @Nullable DiagnosticsDump dump,
      ExporterState.Source figures) {
    String listen = config.listen();
    if (listen == null) {
      return NONE;
    }
    try {
      return Server.start(listen, config, report, dump, figures);
    } catch (Throwable failure) {
      Log.line(problem(config, listen, failure) + "; there is no endpoint, everything else runs");
      return NONE;
    }
  }

  private static String problem(AgentConfig config, String listen, Throwable failure) {
    return failure instanceof WebConfigException
        ? "webConfig = '" + config.webConfig() + "': " + failure.getMessage()
        : "listen = '" + listen + "': " + reason(failure) + "; allowed: a free host:port, or none";
  }

  private static String reason(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    String message = cause.getMessage();
    return message == null ? cause.toString() : message;
  }

  /**
   * The server. A separate class, so that the exporter's classes stay unloaded if there is no
   * endpoint.
   */
  private static final class Server {
    static Endpoint start(
        String listen,
        AgentConfig config,
        AgentReport report,
        @Nullable DiagnosticsDump dump,
        ExporterState.Source figures)
        throws IOException {
      ExporterOptions options =
          ExporterOptions.DEFAULT
              .withSeries(
                  new SeriesOptions(
                      config.leakSites(),
                      config.liveSites(),
                      Detail.parse(config.detail()),
                      config.seriesLimit()))
              .withDump(dump)
              .withFigures(figures);
      String webConfig = config.webConfig();
      if (webConfig != null) {
        options = options.withWebConfig(Path.of(webConfig), Log::line);
      }
      ExporterServer started = ExporterServer.start(listen, report, options);
      String host = listen.substring(0, listen.lastIndexOf(':'));
      String url = started.scheme() + "://" + host + ':' + started.port() + "/metrics";
      return new Endpoint("metrics on " + url, started);
    }
  }
}
