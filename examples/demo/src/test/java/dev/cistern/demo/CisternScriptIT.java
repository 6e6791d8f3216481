/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs {@code bin/cistern} from another directory and through a link. */
class CisternScriptIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"", "dance", "--once", "DEMO"})
  void aWrongCommandPrintsUsageAndExitsTwo(String command) throws Exception {
    Script.Outcome outcome = command.isEmpty() ? cistern() : cistern(command);
    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains("usage: cistern <command>").contains("demo [--once]");
    assertThat(outcome.out()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "--port, --port needs a value",
    "--twice, unknown option --twice",
    "--netty=5, unknown option --netty=5"
  })
  void aWrongOptionIsNamedAndExitsTwo(String option, String message) throws Exception {
    Script.Outcome outcome = cistern("demo", option);
    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"demo", "bench"})
  void eachCommandHasHelp(String command) throws Exception {
    Script.Outcome outcome = cistern(command, "--help");
    assertThat(outcome.status()).isZero();
    assertThat(outcome.out()).contains("usage: cistern " + command);
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  void demoOnceSumsUpAndExitsZero(String netty) throws Exception {
    Script.Outcome outcome = cistern("demo", "--once", "--netty", netty, "--load-seconds", "4");
    assertThat(outcome.status()).as(outcome.toString()).isZero();
    assertThat(outcome.out())
        .contains("Netty " + netty + ".")
        .containsPattern("requests +[0-9,]+ answered")
        .containsPattern("served by Cistern +[0-9,]+ allocations")
        .containsPattern("hit ratio [0-9.]+ %")
        .containsPattern("reserved +pinned +cached +free")
        .containsPattern("direct, at rest +[0-9,]+")
        .contains("example.app.Leaks.forgetToRelease")
        .endsWith("ok\n");
  }

  @ParameterizedTest
  @CsvSource({
    "mode=off, the agent has no endpoint",
    "mode=observe, io.netty in mode observe",
    "mode=sideways, sideways"
  })
  void demoOnceFailsWhenThePoolDoesNotServe(String arguments, String reason) throws Exception {
    Script.Outcome outcome =
        cistern("demo", "--once", "--load-seconds", "1", "--agent-args", arguments);
    assertThat(outcome.status()).as(outcome.toString()).isEqualTo(1);
    assertThat(outcome.out() + outcome.err()).contains("FAILED: ").contains(reason);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--port", "--tls-port", "--metrics-port"})
  void aPortThatIsTakenIsNamedWithItsOption(String option) throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = String.valueOf(taken.getLocalPort());
      Script.Outcome outcome = cistern("demo", "--once", option, port);
      assertThat(outcome.status()).isEqualTo(1);
      assertThat(outcome.err()).contains(port, option).doesNotContain("\tat ");
    }
  }

  /**
   * Ctrl-C signals the whole process group. TERM and KILL signal only the process that the test
   * started.
   */
  @ParameterizedTest
  @CsvSource({"INT, -", "TERM, ''", "KILL, ''"})
  void nothingIsLeftWhenItIsEnded(String signal, String group) throws Exception {
    Process demo =
        Script.startAsTerminalDoes(
            Demo.script(), "demo", "--port", "0", "--tls-port", "0", "--metrics-port", "0");
    List<ProcessHandle> started = new ArrayList<>(List.of(demo.toHandle()));
    try {
      String printed = readUntil(demo, "Press Ctrl-C to end everything.");
      started.addAll(demo.descendants().toList());
      assertThat(started).as("the demo and its server").hasSizeGreaterThanOrEqualTo(2);
      assertAnswers(printed, "application +http://127.0.0.1:(\\d+)/", "/plaintext");
      assertAnswers(printed, "metrics +http://127.0.0.1:(\\d+)/metrics", "/metrics");
      assertAnswers(printed, "leaks +http://127.0.0.1:(\\d+)/leaks", "/leaks");
      assertAnswers(printed, "page +http://127.0.0.1:(\\d+)/", "/");

      new ProcessBuilder("kill", "-" + signal, "--", group + demo.pid()).start().waitFor();
      await()
          .atMost(LIMIT)
          .untilAsserted(() -> assertThat(started).noneMatch(ProcessHandle::isAlive));
    } finally {
      started.forEach(ProcessHandle::destroyForcibly);
    }
  }

  @Test
  void itRunsThroughALink() throws Exception {
    Path link = Files.createSymbolicLink(directory.resolve("c"), Demo.script());
    Script.Outcome outcome = Script.run(link, directory, LIMIT, "demo", "--once", "--port", "x");
    assertThat(outcome.err()).contains("--port must be a number");
  }

  private static void assertAnswers(String printed, String pattern, String path)
      throws IOException {
    Matcher matcher = Pattern.compile(pattern).matcher(printed);
    assertThat(matcher.find()).as(pattern + " in " + printed).isTrue();
    int port = Integer.parseInt(matcher.group(1));
    await()
        .atMost(LIMIT)
        .ignoreExceptions()
        .until(() -> HttpConnection.get(Demo.HOST, port, path).status() == 200);
  }

  private static String readUntil(Process process, String end) throws IOException {
    // The reader stays open, because closing it would break the pipe of a process that still
    // prints.
    BufferedReader lines = process.inputReader();
    StringBuilder printed = new StringBuilder();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      printed.append(line).append('\n');
      if (line.contains(end)) {
        return printed.toString();
      }
    }
    throw new AssertionError("ended without '" + end + "': " + printed);
  }

  private Script.Outcome cistern(String... arguments) throws IOException, InterruptedException {
    return Script.run(Demo.script(), directory, LIMIT, arguments);
  }
}
