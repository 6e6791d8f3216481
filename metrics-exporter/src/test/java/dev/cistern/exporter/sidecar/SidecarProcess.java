/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.sidecar;

import dev.cistern.testing.Program;
import dev.cistern.testing.Repository;
import dev.cistern.testing.Tool;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The sidecar in a separate process, as {@code bin/cistern sidecar} starts it. */
final class SidecarProcess implements AutoCloseable {
  private static final Path OPTIONS = Repository.path("bin/sidecar.options");
  private static final Path JAR = Path.of("target/cistern-exporter.jar");

  private final HttpClient client = HttpClient.newHttpClient();
  private final Program program;
  private final int port;

  private SidecarProcess(Program program) {
    this.program = program;
    this.port = program.awaitPort(Program.CISTERN_LISTENS);
  }

  static SidecarProcess start(Path directory) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Tool.jdk("java"));
    command.add("@" + OPTIONS);
    command.addAll(
        List.of(
            "-jar",
            JAR.toString(),
            "--statsDirectory",
            directory.toString(),
            "--listen",
            "127.0.0.1:0"));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("MALLOC_ARENA_MAX", "1");
    return new SidecarProcess(Program.start("sidecar", builder));
  }

  String log() {
    return program.log();
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return get(path, HttpResponse.BodyHandlers.ofString());
  }

  /** Returns the bytes of the body without decoding. */
  byte[] getBytes(String path) throws IOException, InterruptedException {
    return get(path, HttpResponse.BodyHandlers.ofByteArray()).body();
  }

  private <T> HttpResponse<T> get(String path, HttpResponse.BodyHandler<T> handler)
      throws IOException, InterruptedException {
    URI page = URI.create("http://127.0.0.1:" + port + path);
    return client.send(HttpRequest.newBuilder(page).build(), handler);
  }

  /** Returns the resident memory according to the system, in bytes. */
  long residentBytes() throws IOException {
    return Files.readAllLines(Path.of("/proc/" + program.pid() + "/smaps_rollup")).stream()
        .filter(line -> line.startsWith("Rss:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1_024)
        .findFirst()
        .orElseThrow();
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
