/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.testing.TestLength;
import dev.cistern.testing.Tool;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Checks that no benchmarked operation of the library allocates on the Java heap, except {@code
 * toString}, which creates a string. All operations run in one JVM, so that the compiler has seen
 * every kind of buffer. This is harder than a separate JVM for each.
 *
 * <p>The short form runs each method with both kinds of memory, and with one value of each other
 * parameter, which varies between methods. The long form runs all values, for longer.
 */
@Tag("I2")
@Tag("I3")
@Tag("I4")
@Tag("I5")
@Tag("I7")
@Tag("I9")
@Tag("full")
final class AllocationTest {
  private static final boolean LONG = TestLength.isLong();
  private static final double LIMIT_BYTES = 1;

  /** The minimum allocation of an operation that creates a string of 74 characters. */
  private static final double STRING_BYTES = 74;

  private static final int MAX_SECONDS = LONG ? 1800 : 150;

  @Test
  void onlyStringOperationsAllocate() throws IOException, InterruptedException {
    List<String> cases = cases();
    Map<String, Double> bytes = measure(cases);
    assertThat(bytes.keySet()).containsExactlyInAnyOrderElementsOf(cases);
    Map<String, Double> offenders = new LinkedHashMap<>(bytes);
    offenders.entrySet().removeIf(one -> !offends(one.getKey(), one.getValue()));
    assertThat(offenders).as("bytes that one operation allocates, limit %s", LIMIT_BYTES).isEmpty();
    bytes.keySet().removeIf(id -> !makesString(id));
    assertThat(bytes).isNotEmpty();
    assertThat(bytes.values())
        .as("bytes where a string is made, as a check of the meter: %s", bytes)
        .allMatch(each -> each >= STRING_BYTES);
  }

  static boolean offends(String id, double bytes) {
    return bytes >= LIMIT_BYTES && !makesString(id);
  }

  private static boolean makesString(String id) {
    return id.contains("/to-string");
  }

  /**
   * Returns the cases of benchmarks in separate classes. Cases of leak detection and unpooled
   * buffers are excluded because they allocate objects.
   */
  static List<Case> candidates() {
    List<Case> candidates = new ArrayList<>(PairedCases.all());
    SeedCases.all().stream()
        .filter(one -> one.benchmark.startsWith("rows."))
        .filter(one -> !one.benchmark.startsWith("rows.Unpooled"))
        .filter(one -> !one.id.equals("I9/sampling/detector"))
        .forEach(candidates::add);
    candidates.removeIf(one -> one.id.startsWith("api/leak-"));
    return candidates;
  }

  private static List<String> cases() {
    Map<String, Map<String, List<String>>> ofMethods = new LinkedHashMap<>();
    for (Case one : candidates()) {
      ofMethods
          .computeIfAbsent(one.benchmark, method -> new LinkedHashMap<>())
          .computeIfAbsent(one.parameters().getOrDefault("memory", ""), memory -> new ArrayList<>())
          .add(one.id);
    }
    List<String> chosen = new ArrayList<>();
    int method = 0;
    for (Map<String, List<String>> ofMethod : ofMethods.values()) {
      for (List<String> ofMemory : ofMethod.values()) {
        chosen.addAll(LONG ? ofMemory : List.of(ofMemory.get(method % ofMemory.size())));
      }
      method++;
    }
    return chosen;
  }

  private Map<String, Double> measure(List<String> cases) throws IOException, InterruptedException {
    List<String> options =
        List.of(
            "-Xms512m",
            "-Xmx512m",
            "-XX:+UseG1GC",
            EventLoopThreads.EXECUTOR,
            EventLoopThreads.EXECUTOR_CLASS,
            "-Djmh.ignoreLock=true",
            "-Dcistern.leakDetection.level=disabled", // a tracker of a buffer is an object
            "-Dio.netty.leakDetection.level=disabled"); // each case sets up both libraries
    ProcessBuilder meter = Tool.java(options, AllocationMeter.class, LONG ? "long" : "short");
    meter.command().addAll(cases);
    Tool.Outcome outcome = Tool.run(meter, MAX_SECONDS);
    String said = outcome.printed();
    System.out.println("Bytes that one operation allocates:\n" + said);
    assertThat(outcome.status()).as("exit status; it said %s", said).isZero();
    return said.lines()
        .map(line -> line.split("\t", -1))
        .filter(field -> cases.contains(field[0]))
        .collect(
            Collectors.toMap(
                field -> field[0],
                field -> Double.valueOf(field[1]),
                (first, second) -> {
                  throw new IllegalStateException("measured twice: " + first + ", " + second);
                },
                LinkedHashMap::new));
  }
}
