/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.dashboards;

import dev.cistern.testing.Program;
import dev.cistern.testing.PrometheusServer;
import dev.cistern.testing.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A real Alertmanager with one receiver, which it notifies of each alert separately and at once.
 */
final class Alertmanager implements AutoCloseable {
  private final Program program;
  private final int port;

  private Alertmanager(Program program, int port) {
    this.program = program;
    this.port = port;
  }

  static Alertmanager start(Path directory, int webhookPort) throws IOException {
    Path configuration =
        Files.writeString(directory.resolve("alertmanager.yml"), configuration(webhookPort));
    Program program =
        Program.start(
            "alertmanager",
            List.of(
                Tool.path("prometheus-alertmanager", "prometheus-alertmanager"),
                "--config.file=" + configuration,
                "--storage.path=" + directory.resolve("alertmanager"),
                "--web.listen-address=127.0.0.1:0",
                "--cluster.listen-address="));
    int port = program.awaitPort(Program.PROMETHEUS_LISTENS);
    PrometheusServer.awaitReady(program, port);
    return new Alertmanager(program, port);
  }

  private static String configuration(int webhookPort) {
    return """
        route:
          receiver: test
          group_by: ['...']
          group_wait: 0s
          group_interval: 1s
          repeat_interval: 1h
        receivers:
          - name: test
            webhook_configs:
              - url: http://127.0.0.1:%d/alerts
        """
        .formatted(webhookPort);
  }

  int port() {
    return port;
  }

  @Override
  public void close() {
    program.close();
  }
}
