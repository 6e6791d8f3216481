/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.report;

import dev.cistern.agent.config.AgentConfig;
import dev.cistern.agent.copy.NettyCopy;
import dev.cistern.exporter.ExporterServer;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Properties;

/** Starts the exporter; a class of its own, so that nothing of it is loaded without an endpoint. */
final class EndpointServer {
  private EndpointServer() {}

  /** Where it listens, as a URL. */
  static String start(String listen, AgentConfig config, List<NettyCopy> copies)
      throws IOException {
    AgentReport report =
        new AgentReport(config.application(), version(), System.currentTimeMillis(), copies);
    ExporterServer started = ExporterServer.start(listen, report); // its own thread holds it
    String host = listen.substring(0, listen.lastIndexOf(':'));
    return "http://" + host + ':' + started.port() + "/metrics";
  }

  private static String version() {
    Properties properties = new Properties();
    try (InputStream in =
        EndpointServer.class.getClassLoader().getResourceAsStream("cistern-agent.properties")) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException unreadable) {
      // shown as unknown
    }
    return properties.getProperty("version", "unknown");
  }
}
