/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands of an unpacked archive, in a directory whose path has a blank. They get an empty
 * home directory and a path without Maven.
 */
class ArchiveIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final List<String> COMMANDS = List.of("bash", "cat", "dirname", "readlink");
  private static final Path JAVA_HOME = Path.of(System.getProperty("java.home"));

  @TempDir static Path temporary;
  private static Path unpacked;
  private static Path path;
  private static Path userHome;

  @BeforeAll
  static void unpack() throws Exception {
    unpacked = Archive.unpack(Files.createDirectory(temporary.resolve("a directory")));
    userHome = Files.createDirectory(temporary.resolve("home"));
    path = Files.createDirectory(temporary.resolve("path"));
    for (String command : COMMANDS) {
      Files.createSymbolicLink(path.resolve(command), find(command));
    }
  }

  private static Path find(String command) {
    return Stream.of(System.getenv("PATH").split(":", -1))
        .map(directory -> Path.of(directory, command))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> new AssertionError("cannot find " + command));
  }

  private static ProcessBuilder command(Path script, String... arguments) {
    List<String> words = new ArrayList<>(List.of(script.toString()));
    words.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(words).directory(userHome.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", path.toString());
    builder.environment().put("HOME", userHome.toString());
    builder.environment().put("JAVA_HOME", JAVA_HOME.toString());
    return builder;
  }

  private static Program.Outcome cistern(String... arguments)
      throws IOException, InterruptedException {
    return Program.run(command(unpacked.resolve("bin/cistern"), arguments), LIMIT.toSeconds());
  }

  @Test
  void theDemoRuns() throws Exception {
    Program.Outcome outcome = cistern("demo", "--once");
    assertThat(outcome.status()).as(outcome.output()).isZero();
    assertThat(outcome.output())
        .contains("Netty 4.1.")
        .containsPattern("served by Cistern +[0-9,]+ allocations")
        .endsWith("ok\n");
  }

  @Test
  void theDemoRunsOnTheOtherNettyAndThroughALink() throws Exception {
    Path link =
        Files.createSymbolicLink(
            temporary.resolve("a link"), Path.of("a directory", Archive.NAME, "bin/cistern"));
    Program.Outcome outcome =
        Program.run(
            command(link, "demo", "--once", "--netty", "4.2", "--load-seconds", "2"),
            LIMIT.toSeconds());
    assertThat(outcome.status()).as(outcome.output()).isZero();
    assertThat(outcome.output()).contains("Netty 4.2.").endsWith("ok\n");
  }

  @Test
  void theSidecarServes() throws Exception {
    Path stats = Files.createDirectory(temporary.resolve("stats files"));
    Process sidecar =
        command(
                unpacked.resolve("bin/cistern"),
                "sidecar",
                "--dir",
                stats.toString(),
                "--listen",
                "127.0.0.1:0")
            .redirectErrorStream(true)
            .start();
    try {
      String address = awaitLine(sidecar, Pattern.compile("(http://127\\.0\\.0\\.1:\\d+)/metrics"));
      assertThat(get(address + "/-/ready").statusCode()).isEqualTo(200);
      assertThat(get(address + "/metrics").body()).contains("cistern_sidecar_files_refused 0.0");
      sidecar.destroy();
      assertThat(sidecar.onExit().get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isNotNull();
    } finally {
      sidecar.destroyForcibly();
    }
  }

  @Test
  void aRunningJvmIsListedAttachedToAndSwitched() throws Exception {
    Path lib = unpacked.resolve("lib");
    Process server =
        new ProcessBuilder(
                JAVA_HOME.resolve("bin/java").toString(),
                "-cp",
                lib.resolve("cistern-demo.jar") + ":" + lib.resolve("netty-4.1/*"),
                "example.app.Server",
                "--port",
                "0",
                "--tls-port",
                "none",
                "--end-with-input")
            .redirectErrorStream(true)
            .start();
    try {
      String port = awaitLine(server, Pattern.compile("ready http=(\\d+)"));
      String pid = String.valueOf(server.pid());
      assertThat(cistern("list").output())
          .containsPattern("(?m)^" + pid + " +- +example.app.Server$");
      Program.Outcome attached = cistern("attach", pid, "mode=observe", "listen=none");
      assertThat(attached.status()).as(attached.output()).isZero();
      await()
          .atMost(LIMIT)
          .untilAsserted(
              () -> {
                // The agent acts on the first buffer.
                assertThat(get("http://127.0.0.1:" + port + "/plaintext").statusCode())
                    .isEqualTo(200);
                assertThat(cistern("mode", pid).output()).contains(": observe, ");
              });
      assertThat(cistern("mode", pid, "swap").output()).contains(": swap");
      assertThat(cistern("list").output()).doesNotContainPattern("(?m)^" + pid + " +- ");
    } finally {
      server.destroyForcibly();
    }
  }

  @Test
  void benchmarksNeedACheckout() throws Exception {
    Program.Outcome outcome = cistern("bench", "--list");
    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.output())
        .isEqualTo("cistern: bench is available only in a source checkout\n");
  }

  @Test
  void aMissingJarIsNamed() throws Exception {
    Path copy = Archive.unpack(Files.createDirectory(temporary.resolve("damaged")));
    Files.delete(copy.resolve("lib/cistern-agent.jar"));
    Program.Outcome outcome =
        Program.run(command(copy.resolve("bin/cistern"), "list"), LIMIT.toSeconds());
    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.output())
        .startsWith("cistern: cannot find ")
        .contains("lib/cistern-agent.jar");
  }

  /** Reads the output of a process up to a match and returns its first group. */
  private static String awaitLine(Process process, Pattern pattern) throws IOException {
    // Left open: the process must be able to print more.
    BufferedReader lines = process.inputReader();
    StringBuilder output = new StringBuilder();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      output.append(line).append('\n');
      Matcher matcher = pattern.matcher(line);
      if (matcher.find()) {
        return matcher.group(1);
      }
    }
    throw new AssertionError("ended without " + pattern + ": " + output);
  }

  private static HttpResponse<String> get(String address) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(address)).timeout(LIMIT).build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
  }
}
