/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** A real Prometheus server that scrapes one target each second. */
final class Prometheus implements AutoCloseable {
  private static final Pattern LISTENING =
      Pattern.compile("msg=\"Listening on\" address=127\\.0\\.0\\.1:(\\d+)");
  private static final Pattern VALUE = Pattern.compile("\"value\":\\[[0-9.]+,\"([^\"]+)\"]");
  private static final long END_LIMIT_SECONDS = 10;

  private final Process process;
  private final int port;

  private Prometheus(Process process) throws IOException {
    this.process = process;
    this.port = listeningPort(process);
  }

  /**
   * The path of a program of the Debian package {@code prometheus}. Skips the test where it is not
   * installed; in CI that is a failure.
   */
  static Path require(String program) {
    Optional<Path> found =
        Stream.of(System.getenv("PATH").split(":"))
            .map(directory -> Path.of(directory, program))
            .filter(Files::isExecutable)
            .findFirst();
    if (found.isEmpty() && "true".equals(System.getenv("CI"))) {
      throw new AssertionError(program + " is not installed: CI needs Debian's prometheus package");
    }
    Assumptions.assumeTrue(
        found.isPresent(), program + " is not installed (Debian package prometheus): skipped");
    return found.orElseThrow();
  }

  static Prometheus start(Path directory, int target) throws IOException {
    Path configuration =
        Files.writeString(
            directory.resolve("prometheus.yml"),
            """
            global:
              scrape_interval: 1s
            scrape_configs:
              - job_name: demo
                static_configs:
                  - targets: ['127.0.0.1:%d']
            """
                .formatted(target));
    Process process =
        new ProcessBuilder(
                require("prometheus").toString(),
                "--config.file=" + configuration,
                "--storage.tsdb.path=" + directory.resolve("data"),
                "--web.listen-address=127.0.0.1:0")
            .redirectErrorStream(true)
            .start();
    try {
      return new Prometheus(process);
    } catch (IOException | RuntimeException e) {
      process.destroyForcibly();
      throw e;
    }
  }

  /** The value of a query that has one result; empty when it has none. */
  OptionalDouble value(String query) throws IOException {
    Matcher matcher = VALUE.matcher(answer(query));
    OptionalDouble value = OptionalDouble.empty();
    while (matcher.find()) {
      assertThat(value).as("one result only: " + query).isEmpty();
      value = OptionalDouble.of(Double.parseDouble(matcher.group(1)));
    }
    return value;
  }

  /** The JSON answer to a query. */
  String answer(String query) throws IOException {
    String encoded = URLEncoder.encode(query, StandardCharsets.UTF_8);
    HttpReply reply = HttpConnection.get(Demo.HOST, port, "/api/v1/query?query=" + encoded);
    assertThat(reply.status()).as(reply.text()).isEqualTo(200);
    assertThat(reply.text()).startsWith("{\"status\":\"success\"");
    return reply.text();
  }

  /** What Prometheus knows of its targets. */
  String targets() throws IOException {
    return HttpConnection.get(Demo.HOST, port, "/api/v1/targets").text();
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(END_LIMIT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  /** Reads the log up to the line that names the port, and leaves the rest to a thread. */
  private static int listeningPort(Process process) throws IOException {
    BufferedReader log = process.inputReader();
    StringBuilder read = new StringBuilder();
    for (String line = log.readLine(); line != null; line = log.readLine()) {
      read.append(line).append('\n');
      Matcher matcher = LISTENING.matcher(line);
      if (matcher.find()) {
        Thread drain = new Thread(() -> log.lines().forEach(rest -> {}), "prometheus-log");
        drain.setDaemon(true);
        drain.start();
        return Integer.parseInt(matcher.group(1));
      }
    }
    throw new IOException("prometheus did not listen: " + read);
  }
}
