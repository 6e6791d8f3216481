/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.openjdk.jmh.util.Version;

/** The machine, software and revision of a run, which every result states. */
public final class Environment {
  private Environment() {}

  static Map<String, String> facts(BenchOptions options, Jdk jdk) throws IOException {
    Map<String, String> facts = facts();
    facts.put("JVM of the forks", jdk.version());
    facts.put(
        "arguments of all forks", "`" + String.join(" ", Fork.commonArguments(options)) + "`");
    facts.put("JMH " + Version.getPlainVersion(), options.describe());
    return facts;
  }

  /** Returns the facts that every program of this module writes at the top of a result. */
  public static Map<String, String> facts() throws IOException {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("revision", revision());
    facts.put("date", LocalDate.now(ZoneOffset.UTC).toString());
    facts.put(
        "machine", processor() + ", " + Runtime.getRuntime().availableProcessors() + " cores");
    facts.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("Netty", nettyVersion());
    return facts;
  }

  /** Returns the facts as a Markdown table. */
  public static String table(Map<String, String> facts) {
    StringBuilder rows = new StringBuilder("| | |\n|---|---|\n");
    facts.forEach((fact, value) -> rows.append("| " + fact + " | " + value + " |\n"));
    return rows.toString();
  }

  /** Returns the facts as a JSON object. */
  public static String json(Map<String, String> facts) {
    return facts.entrySet().stream()
        .map(fact -> "  " + quoted(fact.getKey()) + ": " + quoted(fact.getValue()))
        .collect(Collectors.joining(",\n", "{\n", "\n}"));
  }

  /** Returns a JSON string. */
  public static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private static String nettyVersion() {
    io.netty.util.Version version = io.netty.util.Version.identify().get("netty-buffer");
    return version == null ? "unknown" : version.artifactVersion();
  }

  private static String processor() throws IOException {
    Path info = Path.of("/proc/cpuinfo");
    if (Files.isReadable(info)) {
      for (String line : Files.readAllLines(info, StandardCharsets.UTF_8)) {
        if (line.startsWith("model name")) {
          return line.substring(line.indexOf(':') + 1).strip();
        }
      }
    }
    return System.getProperty("os.arch").toLowerCase(Locale.ROOT);
  }

  /** Returns the checked-out commit. The build may be older. */
  private static String revision() {
    Optional<String> commit = git("rev-parse", "--short", "HEAD");
    return commit.isEmpty()
        ? "unknown"
        : commit.get() + (changedFiles().isEmpty() ? "" : " and changes");
  }

  /**
   * Returns the files that differ from the checked-out commit, except for published results.
   *
   * @throws IllegalArgumentException if git fails
   */
  public static List<String> changedFiles() {
    return git("status", "--porcelain", "--", ".", ":!microbench/results")
        .orElseThrow(() -> new IllegalArgumentException("git status failed: run in a git clone"))
        .lines()
        .map(line -> line.substring(3))
        .toList();
  }

  private static Optional<String> git(String... words) {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(words));
    try {
      Process git = new ProcessBuilder(command).redirectErrorStream(true).start();
      try (InputStream output = git.getInputStream()) {
        String text = new String(output.readAllBytes(), StandardCharsets.UTF_8).stripTrailing();
        return git.waitFor() == 0 ? Optional.of(text) : Optional.empty();
      }
    } catch (IOException noGit) {
      return Optional.empty();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
