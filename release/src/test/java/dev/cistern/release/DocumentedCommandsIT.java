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
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
 * The commands on the pages for users run in an unpacked archive, beside the demo server. Those
 * that need a registry, a cluster or another machine do not run here: {@link #NOT_RUN} has the
 * reason, and the test of their effect if there is one.
 */
class DocumentedCommandsIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Pattern BLOCK = Pattern.compile("(?m)^( *)```sh\n((?:.*\n)*?)\\1```$");
  private static final Pattern INLINE = Pattern.compile("`bin/cistern ([a-z]+)([^`\n]*)`");
  private static final Pattern OPTION = Pattern.compile("--[a-z][A-Za-z-]*");
  private static final Pattern READY = Pattern.compile("ready http=(\\d+)");
  private static final Pattern AGENT =
      Pattern.compile("cistern: (?:serves|observes) .*metrics on http://127[.]0[.]0[.]1:(\\d+)/");

  /** The reasons why commands do not run here, by the start of the command. */
  private static final Map<String, String> NOT_RUN =
      Map.ofEntries(
          Map.entry("./mvnw -q -DskipTests package", "this build has packaged the archive"),
          Map.entry("tar -xzf release/target/cistern-", "the archive is unpacked before all tests"),
          Map.entry("cd cistern-", "each command runs in the unpacked archive"),
          Map.entry("docker compose -f docker/compose.yaml ", "ComposeIT runs the file"),
          Map.entry("CISTERN_GRAFANA_PORT=3001 docker compose ", "ComposeFileTest reads the file"),
          Map.entry("docker build -f docker/images/", "ImagesIT builds the images"),
          Map.entry("docker volume create --driver local", "it needs root and a Docker engine"),
          Map.entry("testing/stack/base-images", "it takes minutes; StackIT uses its images"),
          Map.entry("export BASE_JRE=", "StackIT uses this image"),
          Map.entry("export BASE_SMALL=", "StackIT uses this image"),
          Map.entry("export PROMETHEUS_IMAGE=", "StackIT uses this image"),
          Map.entry("kubectl apply ", "no cluster; ManifestTest builds what it applies"),
          Map.entry("kubectl -n cistern-demo ", "no cluster"),
          Map.entry("kubectl -n shop create secret generic ", "no cluster"),
          Map.entry("kubectl -n shop port-forward $POD 9472", "no cluster"),
          Map.entry("curl -u prometheus http", "no cluster; ManifestRunIT has the same login"),
          Map.entry("curl -u prometheus:demo-only ", "no cluster; ManifestRunIT has this login"),
          Map.entry("curl -u alice http", "it asks for a password; WebAccessTest logs in"),
          Map.entry("curl -u alice -X POST ", "the same; SidecarControlIT sends commands"),
          Map.entry("htpasswd -nBC 10 ", "it asks for a password"),
          Map.entry("ssh -L 9471:localhost:9471 ", "no other machine"),
          Map.entry("go tool pprof -http=: ", "it opens a browser; PprofTest reads the profile"),
          Map.entry("mvn org.openrewrite.maven:", "examples/libraries runs the recipe"));

  private static final Pattern TEST = Pattern.compile("\\b[A-Z]\\w+(?:Test|IT)\\b");

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
    return NOT_RUN.keySet().stream().noneMatch(command::startsWith);
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
        .replaceFirst("^kubectl -n shop exec .* -- env -u JAVA_TOOL_OPTIONS ", "")
        .replaceFirst(" (why|mode) 1\\b", " $1 \\$PID")
        .replaceFirst("^java ", java(""))
        .replace("/opt/cistern/agent/", "lib/")
        .replace("-jar /path/to/your-app.jar", application())
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
  void eachReasonIsOfACommandAndNamesTestsThatExist() throws IOException {
    TreeSet<String> unused = new TreeSet<>(NOT_RUN.keySet());
    for (Path page : pages()) {
      for (String command : commands(page)) {
        unused.removeIf(command::startsWith);
      }
    }
    assertThat(unused).isEmpty();
    Set<String> tests = tests();
    for (String reason : NOT_RUN.values()) {
      for (MatchResult test : TEST.matcher(reason).results().toList()) {
        assertThat(tests).contains(test.group() + ".java");
      }
    }
  }

  /** Returns the names of the files of all tests of the project. */
  private static Set<String> tests() throws IOException {
    Set<String> names = new HashSet<>();
    Files.walkFileTree(
        Repository.path(""),
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes ignored) {
            String name = directory.getFileName().toString();
            return name.equals("target") || name.equals("node_modules") || name.startsWith(".")
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes ignored) {
            names.add(file.getFileName().toString());
            return FileVisitResult.CONTINUE;
          }
        });
    return names;
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
        ProcessBuilder builder =
            new ProcessBuilder(
                unpacked.resolve("bin/cistern").toString(), command.group(1), "--help");
        prepare(builder);
        Tool.Outcome help = Tool.run(builder, LIMIT.toSeconds());
        List<String> options =
            OPTION.matcher(help.printed()).results().map(MatchResult::group).toList();
        assertThat(help.status()).as("%s: %s", page, command.group()).isZero();
        for (MatchResult option : OPTION.matcher(command.group(2)).results().toList()) {
          assertThat(options).as("%s: %s", page, command.group()).contains(option.group());
        }
      }
    }
    assertThat(found).isGreaterThan(20);
  }
}
