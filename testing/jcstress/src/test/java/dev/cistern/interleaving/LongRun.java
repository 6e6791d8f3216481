/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.interleaving;

import dev.cistern.testing.Tool;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.openjdk.jcstress.infra.collectors.DiskReadCollector;
import org.openjdk.jcstress.infra.collectors.InProcessCollector;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.grading.ReportUtils;

/**
 * A run of jcstress itself, with separate JVMs, every pair of compilers, and every mode of the JVM.
 */
final class LongRun {
  private final Path directory;

  LongRun() throws IOException {
    directory = Files.createDirectories(Path.of("target", "jcstress"));
  }

  /**
   * Runs the cases that match, and returns their results by name.
   *
   * @param mode a preset of jcstress
   * @param cases a regular expression
   */
  Map<String, TestResult> run(String mode, String cases) throws Exception {
    for (Path file : resultFiles()) {
      Files.delete(file);
    }
    int status = runProcess(mode, cases);
    Map<String, TestResult> results = readResults();
    if (status != 0 && results.isEmpty()) {
      throw new AssertionError("jcstress ended with " + status + " and no result");
    }
    return results;
  }

  private int runProcess(String mode, String cases) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Tool.jdk("java"));
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add("org.openjdk.jcstress.Main");
    command.addAll(List.of("-m", mode, "-jvmArgsPrepend", "-ea", "-t", cases, "-r", "report"));
    Process process =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      output.lines().forEach(System.out::println);
      return process.waitFor();
    } finally {
      process.destroyForcibly();
    }
  }

  private List<Path> resultFiles() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.getFileName().toString().endsWith(".bin.gz")).toList();
    }
  }

  private Map<String, TestResult> readResults() throws Exception {
    InProcessCollector collector = new InProcessCollector();
    for (Path file : resultFiles()) {
      DiskReadCollector reader = new DiskReadCollector(file.toString(), collector);
      reader.dump();
      reader.close();
    }
    Map<String, TestResult> results = new TreeMap<>();
    for (TestResult result : ReportUtils.mergedByName(collector.getTestResults())) {
      results.put(result.getName(), result);
    }
    return results;
  }
}
