/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.testing.Program;
import dev.cistern.testing.Repository;
import dev.cistern.testing.Tool;
import dev.cistern.testing.Web;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The commands on the pages for users. Those for an application run here, in an unpacked archive
 * and beside the demo server. Another test runs each of the rest.
 */
class DocumentedCommandsIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Pattern BLOCK = Pattern.compile("(?m)^( *)```sh\n((?:.*\n)*?)\\1```$");
  private static final Pattern INLINE = Pattern.compile("`bin/cistern ([a-z]+)([^`\n]*)`");
  private static final Pattern OPTION = Pattern.compile("--[a-z][A-Za-z-]*");
  private static final Pattern READY = Pattern.compile("ready http=(\\d+)");
  private static final Pattern AGENT =
      Pattern.compile("cistern: (?:serves|observes) .*metrics on http://127[.]0[.]0[.]1:(\\d+)/");

  /** The tests of the commands that do not run here, by the start of a command. */
  private static final Map<String, String> ELSEWHERE =
      Map.ofEntries(
          Map.entry("./mvnw -q -DskipTests package", "ReleaseBuild.java"),
          Map.entry("tar -xzf release/target/", "Archive.java"),
          Map.entry("cd cistern-", "Archive.java"),
          Map.entry("docker compose ", "ComposeIT.java"),
          Map.entry("CISTERN_GRAFANA_PORT=3001 docker compose ", "ComposeIT.java"),
          Map.entry("docker build ", "StackIT.java"),
          Map.entry("docker volume create ", "SharedDirectoryTest.java"),
          Map.entry("testing/stack/base-images", "StackIT.java"),
          Map.entry("export ", "StackIT.java"),
          Map.entry("kubectl apply ", "ManifestTest.java"),
          Map.entry("kubectl -n ", "ManifestTest.java"),
          Map.entry("kubectl port-forward ", "ManifestTest.java"),
          Map.entry("kubectl exec ", "CommandsIT.java"),
          Map.entry("curl -u prometheus http", "ManifestRunIT.java"),
          Map.entry("curl -u prometheus:demo-only ", "ManifestRunIT.java"),
          Map.entry("htpasswd ", "WebConfigReaderTest.java"),
          Map.entry("curl -u alice ", "SidecarControlIT.java"),
          Map.entry("ssh -L ", "LoopbackHostTest.java"),
          Map.entry("go tool pprof ", "PprofTest.java"),
          Map.entry("mvn org.openrewrite.maven:", "examples/libraries/pom.xml"));

  @TempDir static Path temporary;
  private static Path unpacked;

  @TempDir Path stats;
  private final List<Program> programs = new ArrayList<>();
  private String endpoint = "0";

  @BeforeAll
  static void unpack() throws Exception {
    unpacked = Archive.unpack(Files.createDirectory(temporary.resolve("archive")));
    Files.createDirectory(temporary.resolve("dumps"));
  }

  @AfterEach
  void endPrograms() {
    programs.forEach(Program::close);
  }

  static List<Path> pages() throws IOException {
    List<Path> pages =
        new ArrayList<>(
            List.of(Repository.path("README.md"), Repository.path("release/src/README.md")));
    try (Stream<Path> files = Files.list(Repository.path("docs"))) {
      files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    return pages;
  }

  /** Returns the commands of a page, one for each line that does not continue another. */
  private static List<String> commands(Path page) throws IOException {
    List<String> commands = new ArrayList<>();
    for (MatchResult block : BLOCK.matcher(Files.readString(page)).results().toList()) {
      String text = block.group(2).replace("\\\n", " ");
      text.lines().map(String::strip).filter(line -> !line.isEmpty()).forEach(commands::add);
    }
    return commands;
  }

  private static boolean isHere(String command) {
    return ELSEWHERE.keySet().stream().noneMatch(command::startsWith);
  }

  @ParameterizedTest
  @MethodSource("pages")
  void theCommandsOfAPageRun(Path page) throws Exception {
    List<String> commands = commands(page).stream().filter(DocumentedCommandsIT::isHere).toList();
    if (commands.isEmpty()) {
      return;
    }
    Program server = start("server", List.of("bash", "-c", "exec " + java("") + application()));
    int port = server.awaitPort(READY);
    if (commands.stream().noneMatch(command -> command.contains(" attach "))) {
      run("bin/cistern attach $PID listen=127.0.0.1:0", server);
      endpoint = String.valueOf(awaitAgent(server, port));
    }
    for (String command : commands) {
      if (isLasting(command)) {
        Program program = start("program", List.of("bash", "-c", "exec " + adapted(command)));
        if (command.contains("-javaagent")) {
          assertThat(awaitAgent(program, program.awaitPort(READY))).isPositive();
        } else {
          assertThat(program.awaitPort(Program.CISTERN_LISTENS)).isPositive();
        }
        program.close();
      } else {
        run(command, server);
        if (command.contains(" attach ")) {
          endpoint = String.valueOf(awaitAgent(server, port));
        }
      }
    }
  }

  private static boolean isLasting(String command) {
    return command.startsWith("java ") || command.startsWith("bin/cistern sidecar");
  }

  private static String java(String options) {
    return Path.of(System.getProperty("java.home"), "bin", "java") + " " + options;
  }

  private static String application() {
    return "-cp 'lib/cistern-demo.jar:lib/netty-4.1/*' example.app.Server"
        + " --port 0 --tls-port none";
  }

  /** Returns a command for this machine: free ports, own directories, and an application. */
  private String adapted(String command) {
    return command
        .replaceFirst("^java ", java(""))
        .replace("-jar your-app.jar", application())
        .replace("metrics-exporter/target/", "lib/")
        .replaceAll("--statsDirectory \\S+", "--statsDirectory " + stats)
        .replaceAll("--listen \\S+", "--listen 127.0.0.1:0")
        .replaceAll("--otlpEndpoint \\S+", "--otlpEndpoint http://127.0.0.1:1")
        .replace("/dev/shm/cistern-$USER", stats.toString())
        .replace("localhost:9471", "127.0.0.1:" + endpoint)
        .replace("listen=127.0.0.1:9471", "listen=127.0.0.1:0");
  }

  private void prepare(ProcessBuilder builder) {
    Map<String, String> environment = builder.directory(unpacked.toFile()).environment();
    environment.remove("JAVA_TOOL_OPTIONS");
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.put("CISTERN_LISTEN", "127.0.0.1:0");
    environment.put("CISTERN_STATS_DIRECTORY", stats.toString());
    environment.put("CISTERN_DUMP_DIRECTORY", temporary.resolve("dumps").toString());
  }

  private Program start(String name, List<String> command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command);
    prepare(builder);
    Program program = Program.start(name, builder);
    programs.add(program);
    return program;
  }

  private void run(String command, Program server) throws Exception {
    String script = "curl() { command curl -sS -f \"$@\"; }\n" + adapted(command);
    ProcessBuilder builder = new ProcessBuilder("bash", "-euo", "pipefail", "-c", script);
    prepare(builder);
    builder.environment().put("PID", String.valueOf(server.pid()));
    Tool.Outcome outcome = Tool.run(builder, LIMIT.toSeconds());
    assertThat(outcome.status()).as("%s%n%s", command, outcome.printed()).isZero();
  }

  /** Sends requests until the agent acts on a buffer of the server. Returns its endpoint's port. */
  private int awaitAgent(Program server, int port) {
    await()
        .atMost(LIMIT)
        .until(
            () -> {
              assertThat(Web.get(port, "/plaintext").statusCode()).isEqualTo(200);
              return AGENT.matcher(server.log()).find() && hasStatsFile(server);
            });
    return server.awaitPort(AGENT);
  }

  /** Returns whether the commands find the stats file of a server. */
  private boolean hasStatsFile(Program server) throws Exception {
    String cistern = unpacked.resolve("bin/cistern").toString();
    ProcessBuilder builder =
        new ProcessBuilder(cistern, "top", String.valueOf(server.pid()), "--once");
    prepare(builder);
    return Tool.run(builder, LIMIT.toSeconds()).status() == 0;
  }

  @Test
  void theCommandsOfOtherTestsHaveTheirTests() throws IOException {
    TreeSet<String> unused = new TreeSet<>(ELSEWHERE.keySet());
    for (Path page : pages()) {
      for (String command : commands(page)) {
        unused.removeIf(command::startsWith);
      }
    }
    assertThat(unused).isEmpty();
    try (Stream<Path> files = Files.walk(Repository.path(""))) {
      List<Path> all = files.toList();
      for (String test : ELSEWHERE.values()) {
        assertThat(all).as(test).anyMatch(file -> file.endsWith(test));
      }
    }
  }

  @Test
  void commandsWithinTextExistAndHaveTheirOptions() throws Exception {
    int found = 0;
    for (Path page : pages()) {
      for (MatchResult command : INLINE.matcher(Files.readString(page)).results().toList()) {
        if (command.group(1).equals("bench")) {
          continue; // an archive has no benchmarks
        }
        found++;
        Tool.Outcome help =
            Tool.run(
                new ProcessBuilder(
                    unpacked.resolve("bin/cistern").toString(), command.group(1), "--help"),
                LIMIT.toSeconds());
        assertThat(help.status()).as("%s: %s", page, command.group()).isZero();
        for (MatchResult option : OPTION.matcher(command.group(2)).results().toList()) {
          assertThat(help.printed()).as("%s: %s", page, command.group()).contains(option.group());
        }
      }
    }
    assertThat(found).isGreaterThan(20);
  }
}
