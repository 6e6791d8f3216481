/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.dashboards;

import dev.cistern.testing.Program;
import dev.cistern.testing.Repository;
import dev.cistern.testing.Tool;
import dev.cistern.testing.Web;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The sidecar's jar with the options that {@code bin/cistern sidecar} uses. */
final class LiveSidecar implements AutoCloseable {
  private final Program program;
  private final int port;

  private LiveSidecar(Program program) {
    this.program = program;
    this.port = program.awaitPort(Program.CISTERN_LISTENS);
  }

  /**
   * Starts a sidecar and returns when it serves requests.
   *
   * @param hosts directory of the hosts' stats files
   */
  static LiveSidecar start(Path hosts) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Tool.jdk("java"));
    command.add("@" + Repository.path("bin/sidecar.options"));
    command.addAll(List.of("-jar", Objects.requireNonNull(System.getProperty("cistern.exporter"))));
    command.addAll(
        List.of(
            "--statsDirectory", hosts.toString(), "--listen", "127.0.0.1:0", "--detail", "all"));
    return new LiveSidecar(Program.start("sidecar", command));
  }

  int port() {
    return port;
  }

  /** Returns its metrics as Prometheus reads them. */
  String metrics() {
    return Web.body(port, "/metrics");
  }

  @Override
  public void close() {
    program.close();
  }
}
