/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.testing.Program;
import dev.cistern.testing.Tool;
import dev.cistern.testing.Web;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands of an unpacked archive, in a directory whose path has a blank. They run with an
 * empty home directory and a path without Maven.
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
      Files.createSymbolicLink(path.resolve(command), Path.of(Tool.path(command, command)));
    }
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

  private static Tool.Outcome cistern(String... arguments)
      throws IOException, InterruptedException {
    return Tool.run(command(unpacked.resolve("bin/cistern"), arguments), LIMIT.toSeconds());
  }

  @Test
  void theDemoRuns() throws Exception {
    Tool.Outcome outcome = cistern("demo", "--once");
    assertThat(outcome.status()).as(outcome.printed()).isZero();
    assertThat(outcome.printed())
        .contains("Netty 4.1.")
        .containsPattern("served by Cistern +[0-9,]+ allocations")
        .endsWith("ok\n");
  }

  @Test
  void theDemoRunsOnTheOtherNettyAndThroughALink() throws Exception {
    Path link =
        Files.createSymbolicLink(
            temporary.resolve("a link"), Path.of("a directory", Archive.NAME, "bin/cistern"));
    Tool.Outcome outcome =
        Tool.run(
            command(link, "demo", "--once", "--netty", "4.2", "--load-seconds", "2"),
            LIMIT.toSeconds());
    assertThat(outcome.status()).as(outcome.printed()).isZero();
    assertThat(outcome.printed()).contains("Netty 4.2.").endsWith("ok\n");
  }

  @Test
  void theSidecarServes() throws Exception {
    Path stats = Files.createDirectory(temporary.resolve("stats files"));
    Path script = unpacked.resolve("bin/cistern");
    ProcessBuilder command =
        command(script, "sidecar", "--statsDirectory", stats.toString(), "--listen", "127.0.0.1:0");
    try (Program sidecar = Program.start("sidecar", command)) {
      int port = sidecar.awaitPort(Program.CISTERN_LISTENS);
      assertThat(Web.get(port, "/-/ready").statusCode()).isEqualTo(200);
      assertThat(Web.body(port, "/metrics")).contains("cistern_sidecar_files_refused 0.0");
    }
  }

  @Test
  void aRunningJvmIsListedAttachedToAndSwitched() throws Exception {
    Path lib = unpacked.resolve("lib");
    List<String> command =
        List.of(
            JAVA_HOME.resolve("bin/java").toString(),
            "-cp",
            lib.resolve("cistern-demo.jar") + ":" + lib.resolve("netty-4.1/*"),
            "example.app.Server",
            "--port",
            "0",
            "--tls-port",
            "none");
    try (Program server = Program.start("server", command)) {
      int port = server.awaitPort(Pattern.compile("ready http=(\\d+)"));
      String pid = String.valueOf(server.pid());
      assertThat(cistern("list").printed())
          .containsPattern("(?m)^" + pid + " +- .*example.app.Server$");
      Tool.Outcome attached = cistern("attach", pid, "mode=observe", "listen=none");
      assertThat(attached.status()).as(attached.printed()).isZero();
      await()
          .atMost(LIMIT)
          .untilAsserted(
              () -> {
                // The agent acts on the first buffer.
                assertThat(Web.get(port, "/plaintext").statusCode()).isEqualTo(200);
                assertThat(cistern("mode", pid).printed()).contains(": observe, ");
              });
      assertThat(cistern("mode", pid, "swap").printed()).contains(": swap");
      assertThat(cistern("list").printed()).doesNotContainPattern("(?m)^" + pid + " +- ");
      assertThat(cistern("why", pid).printed()).contains("yes, by Cistern's pool");
      assertThat(cistern("top", pid, "--once").printed()).contains(pid, "swap");
      // The command waits 5 s for the agent, which may need longer on a machine under load.
      await()
          .atMost(LIMIT)
          .untilAsserted(
              () ->
                  assertThat(cistern("mode", pid, "off", "--by", "file").printed())
                      .contains(": off since "));
      assertThat(cistern("mode", pid, "swap").printed()).contains(": swap");
      assertThat(cistern("report", pid).printed()).contains("wrote ", "cistern-report-" + pid);
      assertThat(cistern("detach", pid).printed()).contains("detached from process " + pid);
    }
  }

  @Test
  void benchmarksNeedACheckout() throws Exception {
    Tool.Outcome outcome = cistern("bench", "--list");
    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.printed())
        .isEqualTo("cistern: bench is available only in a source checkout\n");
  }

  @Test
  void aMissingJarIsNamed() throws Exception {
    Path copy = Archive.unpack(Files.createDirectory(temporary.resolve("damaged")));
    Files.delete(copy.resolve("lib/cistern-agent.jar"));
    Tool.Outcome outcome =
        Tool.run(command(copy.resolve("bin/cistern"), "list"), LIMIT.toSeconds());
    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.printed())
        .startsWith("cistern: cannot find ")
        .contains("lib/cistern-agent.jar");
  }
}
