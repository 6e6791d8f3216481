/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.report;

import dev.cistern.agent.Log;
import dev.cistern.agent.config.AgentConfig;
import dev.cistern.exporter.Detail;
import dev.cistern.exporter.ExporterOptions;
import dev.cistern.exporter.ExporterServer;
import java.io.IOException;
import java.nio.file.Path;

/** Starts the exporter; a class of its own, so that nothing of it is loaded without an endpoint. */
final class EndpointServer {
  private EndpointServer() {}

  /** Where it listens, as a URL. */
  static String start(String listen, AgentConfig config, Diagnostics diagnostics)
      throws IOException {
    ExporterOptions options =
        ExporterOptions.DEFAULT
            .withDetail(Detail.values()[config.detail()])
            .withSeriesLimit(config.seriesLimit())
            .withSites(config.leakSites(), config.liveSites())
            .withDump(diagnostics.dumps());
    String webConfig = config.webConfig();
    if (webConfig != null) {
      options = options.withWebConfig(Path.of(webConfig), Log::line);
    }
    ExporterServer started = // its own thread holds it
        ExporterServer.start(listen, diagnostics.report(), options);
    String host = listen.substring(0, listen.lastIndexOf(':'));
    return started.scheme() + "://" + host + ':' + started.port() + "/metrics";
  }
}
