/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.dashboards;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A program in a process of its own, whose output goes to a file. */
final class Program implements AutoCloseable {
  /** What the servers of Prometheus say. */
  static final Pattern LISTENING = Pattern.compile("Listening on\" address=127[.]0[.]0[.]1:(\\d+)");

  private static final Duration START_LIMIT = Duration.ofSeconds(30);
  private static final long END_LIMIT_SECONDS = 15;

  private final String name;
  private final Process process;
  private final Path log;

  private Program(String name, Process process, Path log) {
    this.name = name;
    this.process = process;
    this.log = log;
  }

  /**
   * Starts it, to end with this JVM at the latest; its output is {@code name.log} in {@code
   * directory}.
   */
  static Program start(String name, Path directory, List<String> command) throws IOException {
    Path log = directory.resolve(name + ".log");
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectOutput(log.toFile());
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    Process process = builder.start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroy, "end-" + name));
    return new Program(name, process, log);
  }

  /** Waits until it has said on which port of loopback it listens. */
  int awaitPort(Pattern line) {
    return await(name).atMost(START_LIMIT).until(() -> port(line), port -> port > 0);
  }

  private int port(Pattern line) {
    assertRuns();
    Matcher said = line.matcher(log());
    return said.find() ? Integer.parseInt(said.group(1)) : 0;
  }

  /** What it has said so far. */
  String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Fails if it has ended, with what it said. */
  void assertRuns() {
    if (!process.isAlive()) {
      throw new AssertionError(name + " ended with " + process.exitValue() + ": " + log());
    }
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
}
