/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import dev.cistern.testing.Program;
import dev.cistern.testing.Repository;
import dev.cistern.testing.Web;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The sidecar, started by {@code bin/cistern}. */
final class SidecarJvm implements AutoCloseable {
  private final Program program;
  private final int port;

  SidecarJvm(Path directory, String... options) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Repository.path("bin/cistern").toString(),
                "sidecar",
                "--statsDirectory",
                directory.toString(),
                "--listen",
                "127.0.0.1:0"));
    command.addAll(List.of(options));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    program = Program.start("sidecar", builder);
    port = program.awaitPort(Program.CISTERN_LISTENS);
  }

  /** Returns a page, which must exist. */
  String get(String path) {
    return Web.body(port, path);
  }

  int port() {
    return port;
  }

  boolean isAlive() {
    return program.isAlive();
  }

  @Override
  public void close() {
    program.close();
  }
}
