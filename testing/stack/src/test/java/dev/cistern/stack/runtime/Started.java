/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stack.runtime;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A process that replaces a container. */
public final class Started implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final Process process;
  private final Path log;

  private Started(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /** Starts a command with this environment; its output is written to the log. */
  public static Started start(Path log, Map<String, String> environment, List<String> command)
      throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.startsWith("CISTERN_"));
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().putAll(environment);
    return new Started(builder.redirectOutput(log.toFile()).start(), log);
  }

  /** Returns the output of the process so far. */
  public String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until the process prints a match of the pattern, and returns its first group. */
  public String awaitLine(Pattern pattern) {
    return await()
        .atMost(LIMIT)
        .conditionEvaluationListener(condition -> checkAlive())
        .until(() -> found(pattern), line -> !line.isEmpty());
  }

  private void checkAlive() {
    if (!process.isAlive()) {
      throw new AssertionError("ended with status " + process.exitValue() + ": " + log());
    }
  }

  private String found(Pattern pattern) {
    Matcher matcher = pattern.matcher(log());
    return matcher.find() ? matcher.group(1) : "";
  }

  /**
   * Sends a GET request to a server on this machine.
   *
   * @param login {@code user:password}, or empty
   */
  public static HttpResponse<String> get(String address, String login)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address));
    if (!login.isEmpty()) {
      byte[] bytes = login.getBytes(StandardCharsets.UTF_8);
      request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(bytes));
    }
    try {
      return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (ConnectException e) {
      throw new IOException(address, e);
    }
  }

  /** Returns the resident set of the process, in bytes. */
  public long residentBytes() throws IOException {
    Map<String, String> fields =
        Files.readAllLines(Path.of("/proc/" + process.pid() + "/smaps_rollup")).stream()
            .filter(line -> line.contains(":") && line.endsWith(" kB"))
            .collect(Collectors.toMap(l -> l.split(":", 2)[0], l -> l.replaceAll("\\D", "")));
    return Long.parseLong(fields.get("Rss")) * 1_024;
  }

  /** Kills the process, as the kernel does at the memory limit. */
  public void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  @Override
  public void close() {
    stop();
  }

  /** Ends the process as Kubernetes ends a container, and waits for its end. */
  public void stop() {
    process.destroy();
    try {
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
