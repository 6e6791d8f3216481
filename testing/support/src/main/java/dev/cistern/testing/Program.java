/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.testing;

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

/** A process whose output is in a temporary file until the process is closed. */
public final class Program implements AutoCloseable {
  /** The line in which Prometheus and Alertmanager name the port that they got. */
  public static final Pattern PROMETHEUS_LISTENS =
      Pattern.compile("msg=\"Listening on\" address=127[.]0[.]0[.]1:(\\d+)");

  /** The line in which the agent or the sidecar names the port that it got. */
  public static final Pattern CISTERN_LISTENS =
      Pattern.compile("metrics on https?://127[.]0[.]0[.]1:(\\d+)/");

  private static final Duration START_LIMIT = Duration.ofSeconds(60);
  private static final long END_LIMIT_SECONDS = 20;

  private final String name;
  private final Process process;
  private final Path log;

  private Program(String name, Process process, Path log) {
    this.name = name;
    this.process = process;
    this.log = log;
  }

  /** Starts a program, which ends with this JVM at the latest. */
  public static Program start(String name, List<String> command) throws IOException {
    return start(name, new ProcessBuilder(command));
  }

  /** Starts a program with the environment of the builder. */
  public static Program start(String name, ProcessBuilder builder) throws IOException {
    Path log = Files.createTempFile(name, ".log");
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    Process process = builder.start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroy, "end-" + name));
    return new Program(name, process, log);
  }

  /**
   * Waits until the program has printed its port, and returns the port.
   *
   * @param line the port is its first group
   */
  public int awaitPort(Pattern line) {
    return await(name).atMost(START_LIMIT).until(() -> printedPort(line), port -> port > 0);
  }

  private int printedPort(Pattern line) {
    assertRuns();
    Matcher printed = line.matcher(log());
    return printed.find() ? Integer.parseInt(printed.group(1)) : 0;
  }

  /** Returns what the program has printed. */
  public String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the process ID. */
  public long pid() {
    return process.pid();
  }

  /** Returns whether the program still runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Fails with the log if the program has ended. */
  public void assertRuns() {
    if (!process.isAlive()) {
      throw new AssertionError(name + " ended with " + process.exitValue() + ": " + log());
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(END_LIMIT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    try {
      Files.deleteIfExists(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
