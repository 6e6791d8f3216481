/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.dashboards;

import static org.awaitility.Awaitility.await;

import dev.cistern.exporter.Tool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A real Alertmanager with one receiver, which it tells of each alert by itself and at once. */
final class Alertmanager implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(30);

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
            directory,
            List.of(
                Tool.path("prometheus-alertmanager", "prometheus-alertmanager"),
                "--config.file=" + configuration,
                "--storage.path=" + directory.resolve("alertmanager"),
                "--web.listen-address=127.0.0.1:0",
                "--cluster.listen-address="));
    int port = program.awaitPort(Program.LISTENING);
    await()
        .atMost(LIMIT)
        .ignoreException(UncheckedIOException.class)
        .until(
            () -> {
              program.assertRuns();
              return Web.get(port, "/-/ready").statusCode() == 200;
            });
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
