/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.demo.Metrics;
import dev.cistern.testing.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/** A host in a separate JVM, whose standard input is a pipe from this process. */
final class HostProcess implements AutoCloseable {
  static final Duration LIMIT = Duration.ofSeconds(60);

  private static final int MAX_LINES_SHOWN = 40;
  private static final Pattern READY = Pattern.compile("ready port=([0-9,]+)");

  private final Process process;
  private final Path out;
  private final Path err;

  private HostProcess(Process process, Path out, Path err) {
    this.process = process;
    this.out = out;
    this.err = err;
  }

  /** Starts a host; {@link #ports} waits until it serves. */
  static HostProcess start(HostCommand command) throws IOException {
    Path out = Files.createTempFile("host", ".out");
    Path err = Files.createTempFile("host", ".err");
    Process process =
        command.builder().redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    return new HostProcess(process, out, err);
  }

  long pid() {
    return process.pid();
  }

  /** Waits until the host serves. */
  List<Integer> ports() {
    Matcher ready = awaitLine(out, READY);
    return Arrays.stream(ready.group(1).split(",", -1)).map(Integer::valueOf).toList();
  }

  /**
   * Waits until the agent logs that it serves or observes that many copies of Netty. Returns its
   * endpoint.
   */
  Metrics metrics(int copies, Client.Touch touch) throws Exception {
    Awaitility.await("the agent serves or observes " + copies + " copies of Netty")
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(20))
        .failFast(this::assertAlive)
        .untilAsserted(
            () -> {
              touch.run();
              assertThat(agentLines())
                  .filteredOn(line -> line.contains(" serves ") || line.contains(" observes "))
                  .as("%s", this)
                  .hasSizeGreaterThanOrEqualTo(copies);
            });
    return new Metrics(Integer.parseInt(awaitLine(err, Program.CISTERN_LISTENS).group(1)));
  }

  List<String> errors() {
    return read(err);
  }

  /** Returns the agent's lines on the standard error. */
  List<String> agentLines() {
    return errors().stream().filter(line -> line.startsWith("cistern: ")).toList();
  }

  /** Returns all other lines on the standard error. */
  List<String> ownLines() {
    return errors().stream().filter(line -> !line.startsWith("cistern: ")).toList();
  }

  /** Closes the host's standard input, and checks that the host ends without a failure. */
  void end() throws IOException, InterruptedException {
    process.getOutputStream().close();
    assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).as("%s ends", this).isTrue();
    assertThat(process.exitValue()).as("%s", this).isZero();
  }

  @Override
  public void close() throws IOException {
    kill(process, out, err);
  }

  /** Kills a process, and deletes its files. */
  static void kill(Process process, Path... files) throws IOException {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    for (Path file : files) {
      Files.delete(file);
    }
  }

  @Override
  public String toString() {
    return "host " + process.pid() + ", stdout " + end(out) + ", stderr " + end(err);
  }

  private static List<String> end(Path file) {
    List<String> lines = read(file);
    return lines.subList(Math.max(0, lines.size() - MAX_LINES_SHOWN), lines.size());
  }

  private void assertAlive() {
    assertThat(process.isAlive()).as("%s is alive", this).isTrue();
  }

  private Matcher awaitLine(Path file, Pattern pattern) {
    return Awaitility.await(pattern.pattern())
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(20))
        .failFast(this::assertAlive)
        .until(() -> pattern.matcher(String.join("\n", read(file)) + "\n"), Matcher::find);
  }

  private static List<String> read(Path file) {
    try {
      return Files.readAllLines(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      return List.of(e.toString());
    }
  }
}
