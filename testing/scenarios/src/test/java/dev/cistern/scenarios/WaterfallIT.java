/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import com.grack.nanojson.JsonParserException;
import dev.cistern.testing.Repository;
import dev.cistern.testing.TestLength;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The parts of memory that the agent names add up to the resident memory of the process. */
@Tag("alone")
class WaterfallIT {
  private static final int JVMS = 4;

  /** Time of load before a measurement. Most workloads have no state that a test could await. */
  private static final long LOAD_SECONDS = 12;

  private static final double MAX_SUM_ERROR = 0.001;
  private static final double MAX_REST = 0.10;
  private static final double MAX_REST_WITH_TRACKING = 0.05;
  private static final double MIN_SHARE_OF_FACT = 0.9;
  private static final long MIN_STACK_BYTES = 8 << 10;
  private static final String TRACKING = "-XX:NativeMemoryTracking=summary";
  private static final List<String> BUFFERS =
      List.of("pool_pinned", "pool_cached", "pool_free", "netty_pools", "netty_unpooled");

  /** Scenarios whose workloads are measured. Their modes alternate. */
  private static final List<Scenario> WORKLOADS =
      List.of(
          Scenarios.named("steady-rpc-observe-4.2"),
          Scenarios.named("leak-dropped-swap-4.1"),
          Scenarios.named("retention-1g-observe-4.1"),
          Scenarios.named("jdk-direct-images-observe-4.1"),
          Scenarios.named("mapped-index-swap-4.1"),
          Scenarios.named("malloc-codec-observe-4.1"),
          Scenarios.named("threads-500-swap-4.1"),
          Scenarios.named("heap-sawtooth-swap-4.2"),
          Scenarios.named("duplicate-pooled-20-observe-4.1"),
          Scenarios.named("large-heap-small-pool-swap-4.2"));

  private record Outcome(String row, List<String> faults) {}

  @Test
  @Timeout(value = 40, unit = TimeUnit.MINUTES)
  void thePartsAddUp() throws Exception {
    assumeTrue(TestLength.isLong(), "starts 40 JVMs: -Plong");
    ExecutorService executor = Executors.newFixedThreadPool(JVMS);
    List<String> faults = new ArrayList<>();
    try {
      List<Future<Outcome>> running = new ArrayList<>();
      for (Scenario scenario : scenarios()) {
        for (boolean isTracked : new boolean[] {false, true}) {
          running.add(executor.submit(() -> measure(scenario, isTracked)));
        }
      }
      System.out.println("| workload | tracking | resident, MiB | rest, % | parts, MiB |");
      System.out.println("|---|---|---|---|---|");
      for (Future<Outcome> each : running) {
        System.out.println(each.get().row);
        faults.addAll(each.get().faults);
      }
    } finally {
      executor.shutdownNow();
    }
    assertThat(faults).isEmpty();
  }

  private static List<Scenario> scenarios() {
    List<Scenario> scenarios = new ArrayList<>();
    for (int jdk : new int[] {17, 25}) {
      if (HostProcess.jdkHome(jdk).isEmpty()) {
        System.out.println("skipped: no JDK " + jdk);
        continue;
      }
      for (Scenario workload : WORKLOADS) {
        boolean isSwap = (scenarios.size() + jdk / 25) % 2 == 0;
        String mode = isSwap ? "swap" : "observe";
        scenarios.add(
            workload.as("waterfall-" + workload.workload() + "-" + mode + "-" + jdk, mode, jdk));
      }
    }
    return scenarios;
  }

  private static Outcome measure(Scenario named, boolean isTracked) throws Exception {
    String name = named.name() + (isTracked ? "-tracked" : "");
    Scenario scenario = named.as(name, named.mode(), named.jdk());
    Path directory = Repository.path("testing/scenarios/target/scenarios");
    List<String> options = isTracked ? List.of(TRACKING) : List.of();
    try (HostProcess host =
        HostProcess.start(scenario, RunScenarios.builtAgent(), directory, options)) {
      host.awaitReady();
      TimeUnit.SECONDS.sleep(LOAD_SECONDS);
      Map<String, Long> facts = host.facts();
      String json = host.get("/memory?format=json");
      Map<String, Long> parts = new TreeMap<>();
      long resident = parse(json, parts);
      return judge(name, isTracked, resident, parts, facts);
    } catch (IOException e) {
      return new Outcome("| " + name + " | | | | |", List.of(name + ": " + e.getMessage()));
    }
  }

  private static long parse(String json, Map<String, Long> parts) throws JsonParserException {
    JsonObject answer = JsonParser.object().from(json);
    JsonArray list = answer.getArray("parts");
    for (int i = 0; i < list.size(); i++) {
      JsonObject part = list.getObject(i);
      parts.put(part.getString("part"), part.getLong("bytes"));
    }
    return answer.getLong("resident_bytes");
  }

  private static Outcome judge(
      String name,
      boolean isTracked,
      long resident,
      Map<String, Long> parts,
      Map<String, Long> facts) {
    List<String> faults = new ArrayList<>();
    long sum = parts.values().stream().mapToLong(Long::longValue).sum();
    if (Math.abs(sum - resident) > MAX_SUM_ERROR * resident) {
      faults.add(name + ": the parts have " + sum + " bytes of " + resident);
    }
    double rest = (double) parts.getOrDefault("rest", 0L) / resident;
    if (Math.abs(rest) > (isTracked ? MAX_REST_WITH_TRACKING : MAX_REST)) {
      faults.add(String.format(Locale.ROOT, "%s: the rest is %.1f %%", name, 100 * rest));
    }
    facts.forEach(
        (fact, bytes) -> {
          long found =
              switch (fact) {
                case "buffers" -> BUFFERS.stream().mapToLong(p -> parts.getOrDefault(p, 0L)).sum();
                case "threads" -> parts.getOrDefault("thread_stacks", 0L) / MIN_STACK_BYTES;
                default -> parts.getOrDefault(fact, bytes);
              };
          if (found < MIN_SHARE_OF_FACT * bytes) {
            faults.add(name + ": " + fact + " has " + found + " (expected: " + bytes + ")");
          }
        });
    StringBuilder cells = new StringBuilder();
    parts.forEach((part, bytes) -> cells.append(part).append(' ').append(bytes >> 20).append(' '));
    String row =
        String.format(
            Locale.ROOT,
            "| %s | %s | %d | %.1f | %s |",
            name,
            isTracked ? "summary" : "off",
            resident >> 20,
            100 * rest,
            cells.toString().strip());
    return new Outcome(row, faults);
  }
}
