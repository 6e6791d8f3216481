/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.sidecar;

import static org.awaitility.Awaitility.await;

import dev.cistern.exporter.Repository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The sidecar as {@code bin/cistern sidecar} starts it, in a process of its own. */
final class SidecarProcess implements AutoCloseable {
  private static final Path OPTIONS = Repository.path("bin/sidecar.options");
  private static final Path JAR = Path.of("target/cistern-exporter.jar");
  private static final Pattern PORT = Pattern.compile("metrics on http://127[.]0[.]0[.]1:(\\d+)/");

  private final HttpClient client = HttpClient.newHttpClient();
  private final Process process;
  private final Path log;
  private final int port;

  private SidecarProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
    this.port =
        await()
            .until(
                () -> {
                  Matcher said = PORT.matcher(log());
                  return said.find() ? Integer.parseInt(said.group(1)) : 0;
                },
                found -> found > 0);
  }

  static SidecarProcess start(Path directory) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("@" + OPTIONS);
    command.addAll(
        List.of("-jar", JAR.toString(), "--dir", directory.toString(), "--listen", "127.0.0.1:0"));
    Path log = Files.createTempFile("sidecar", ".log");
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectOutput(log.toFile());
    builder.environment().put("MALLOC_ARENA_MAX", "1");
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    return new SidecarProcess(builder.start(), log);
  }

  String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return get(path, HttpResponse.BodyHandlers.ofString());
  }

  /** The body only, as it comes. */
  byte[] getBytes(String path) throws IOException, InterruptedException {
    return get(path, HttpResponse.BodyHandlers.ofByteArray()).body();
  }

  private <T> HttpResponse<T> get(String path, HttpResponse.BodyHandler<T> handler)
      throws IOException, InterruptedException {
    URI page = URI.create("http://127.0.0.1:" + port + path);
    return client.send(HttpRequest.newBuilder(page).build(), handler);
  }

  /** What the system says that it holds, in bytes. */
  long residentBytes() throws IOException {
    return Files.readAllLines(Path.of("/proc/" + process.pid() + "/smaps_rollup")).stream()
        .filter(line -> line.startsWith("Rss:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1_024)
        .findFirst()
        .orElseThrow();
  }

  int port() {
    return port;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void close() throws IOException {
    process.destroy();
    try {
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Files.delete(log);
  }
}
