/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The sidecar, started by {@code bin/cistern}. */
final class SidecarJvm implements AutoCloseable {
  private static final Pattern PORT = Pattern.compile("metrics on http://127[.]0[.]0[.]1:(\\d+)/");

  private final HttpClient client = HttpClient.newHttpClient();
  private final Process process;
  private final Path log;
  private final int port;

  SidecarJvm(Path directory) throws IOException {
    log = Files.createTempFile("sidecar", ".log");
    ProcessBuilder builder =
        new ProcessBuilder(
            List.of(
                "../bin/cistern",
                "sidecar",
                "--dir",
                directory.toString(),
                "--listen",
                "127.0.0.1:0"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    process = builder.start();
    port =
        await()
            .until(
                () -> {
                  Matcher said = PORT.matcher(log());
                  return said.find() ? Integer.parseInt(said.group(1)) : 0;
                },
                found -> found > 0);
  }

  String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A page, which must be there. */
  String get(String path) throws IOException, InterruptedException {
    URI page = URI.create("http://127.0.0.1:" + port + path);
    HttpResponse<String> answer =
        client.send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new AssertionError(path + ": " + answer.statusCode() + " " + answer.body());
    }
    return answer.body();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void close() throws IOException {
    process.destroy();
    await().until(() -> !process.isAlive());
    Files.delete(log);
  }
}
