/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.scenarios;

import dev.cistern.testing.Program;
import dev.cistern.testing.Repository;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A JVM that runs a scenario with the agent. It ends with this JVM at the latest. */
public final class HostProcess implements AutoCloseable {
  private static final Path DEMO = Repository.path("examples/demo/target");
  private static final Path JARS = Repository.path("testing/scenarios/target/jars");
  private static final Pattern FACT = Pattern.compile("(?m)^FACT (\\S+) (\\d+)$");
  private static final Duration HTTP_LIMIT = Duration.ofSeconds(20);
  private static final long START_SECONDS = 90;
  private static final int PAGE_BYTES = 4096;
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(() -> RUNNING.forEach(Process::destroyForcibly), "end-scenarios"));
  }

  private final Process process;
  private final Path log;
  private final Path temporary;
  private int port;

  private HostProcess(Process process, Path log, Path temporary) {
    this.process = process;
    this.log = log;
    this.temporary = temporary;
  }

  /** Returns the home of a JDK; an empty text if it is not installed. */
  public static String jdkHome(int version) {
    if (version != 25) {
      return System.getProperty("java.home");
    }
    String home = System.getProperty("jdk25.home", "");
    return Stream.of(home, "/usr/lib/jvm/temurin-25-jdk-amd64")
        .filter(path -> !path.isEmpty() && Files.exists(Path.of(path, "bin/java")))
        .findFirst()
        .orElse("");
  }

  /**
   * Starts a scenario. Its log is {@code NAME.log} in the directory.
   *
   * @param agent the agent's jar
   * @param jvmOptions options besides those of the scenario
   */
  public static HostProcess start(
      Scenario scenario, Path agent, Path directory, List<String> jvmOptions) throws IOException {
    Files.createDirectories(directory);
    Path temporary = directory.resolve(scenario.name() + ".tmp");
    // A runner that was killed has not deleted it.
    delete(temporary);
    Files.createDirectories(temporary);
    List<String> words = new ArrayList<>();
    words.add(jdkHome(scenario.jdk()) + "/bin/java");
    words.add(
        "-javaagent:"
            + agent.toAbsolutePath()
            + "=listen=127.0.0.1:0,application=shop,mode="
            + scenario.mode()
            + ",statsDirectory="
            + temporary.toAbsolutePath());
    // The JVM uses the last of several values, so that a scenario can replace these.
    words.addAll(List.of("-Xmx256m", "-XX:MaxDirectMemorySize=2g"));
    words.add("-Djava.io.tmpdir=" + temporary.toAbsolutePath());
    words.addAll(scenario.jvmOptions());
    words.addAll(jvmOptions);
    words.add("-cp");
    words.add(classPath(scenario.netty()));
    words.add(ScenarioHost.class.getName());
    words.add(scenario.workload());
    words.addAll(scenario.arguments());
    Path log = directory.resolve(scenario.name() + ".log");
    ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
    builder.redirectOutput(log.toFile());
    builder.environment().keySet().removeAll(Set.of("JAVA_TOOL_OPTIONS", "MALLOC_ARENA_MAX"));
    Process process = builder.start();
    RUNNING.add(process);
    return new HostProcess(process, log, temporary);
  }

  private static String classPath(String netty) {
    Path demo = DEMO.resolve(netty.equals("4.1") ? "netty-4.1" : "netty-4.2");
    return String.join(
        File.pathSeparator,
        ownClasses().toString(),
        demo.resolve("*").toString(),
        JARS.resolve(netty).resolve("*").toString());
  }

  private static Path ownClasses() {
    return Path.of(
        URI.create(
            ScenarioHost.class.getProtectionDomain().getCodeSource().getLocation().toString()));
  }

  /**
   * Waits until the workload is at work and the agent listens.
   *
   * @throws IOException if the process ends or takes too long
   */
  public void awaitReady() throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (true) {
      String text = log();
      Matcher listens = Program.CISTERN_LISTENS.matcher(text);
      if (hasPrinted("READY") && listens.find()) {
        port = Integer.parseInt(listens.group(1));
        return;
      }
      if (!process.isAlive() || System.nanoTime() > end) {
        throw new IOException("process is not ready: " + text);
      }
      Thread.sleep(100);
    }
  }

  /** Returns whether the process has printed this line. */
  public boolean hasPrinted(String line) throws IOException {
    return log().lines().anyMatch(line::equals);
  }

  /** Returns the last value of each fact that the workload has printed. */
  public Map<String, Long> facts() throws IOException {
    Map<String, Long> facts = new TreeMap<>();
    Matcher matcher = FACT.matcher(log());
    while (matcher.find()) {
      facts.put(matcher.group(1), Long.parseLong(matcher.group(2)));
    }
    return facts;
  }

  /** Returns the output of the process. */
  public String log() throws IOException {
    return Files.readString(log);
  }

  /**
   * Returns the status and last output if the process has ended by itself; otherwise an empty text.
   */
  public String unexpectedEnd() throws IOException {
    if (process.isAlive()) {
      return "";
    }
    String text = log();
    return "process ended with "
        + process.exitValue()
        + ": "
        + text.substring(Math.max(0, text.length() - 400)).replaceAll("\\s+", " ");
  }

  /** Returns the resident bytes of the process; 0 after its end. */
  public long residentBytes() {
    try {
      String sizes = Files.readString(Path.of("/proc/" + process.pid() + "/statm"));
      int start = sizes.indexOf(' ') + 1;
      return Long.parseLong(sizes.substring(start, sizes.indexOf(' ', start))) * PAGE_BYTES;
    } catch (IOException e) {
      return 0;
    }
  }

  /**
   * Returns the answer of the agent.
   *
   * @throws IOException if its status is not 200
   */
  public String get(String path) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + port + path);
    HttpResponse<String> response =
        CLIENT.send(
            HttpRequest.newBuilder(uri).timeout(HTTP_LIMIT).build(),
            HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      throw new IOException(path + ": " + response.statusCode() + " " + response.body());
    }
    return response.body();
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    process.onExit().join();
    RUNNING.remove(process);
    delete(temporary);
  }

  private static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
