/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.scenarios;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import dev.cistern.testing.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The runner of scenarios: {@code names}, {@code faults [PATTERN]} or {@code healthy [PATTERN]}. It
 * prints a report, and ends with status 1 if a bar is missed.
 */
public final class RunScenarios {
  private static final String USAGE =
      "names | faults [PATTERN] | healthy [PATTERN]"
          + " [--minutes N] [--parallel N] [--agent JAR] [--output FILE.json] [--write]";

  private final Path agent;
  private final int parallel;
  private final int minutes;
  private final Path directory = Repository.path("testing/scenarios/target/scenarios");

  /**
   * Creates a runner.
   *
   * @param agent the agent's jar
   * @param parallel number of scenarios that run at a time
   * @param minutes length of a run of a healthy workload
   */
  public RunScenarios(Path agent, int parallel, int minutes) {
    this.agent = agent;
    this.parallel = parallel;
    this.minutes = minutes;
  }

  /** Returns the agent's jar that the build made. */
  public static Path builtAgent() {
    return Repository.path("agent/target/cistern-agent.jar");
  }

  /** Runs the command of the arguments, and ends the process with its status. */
  public static void main(String[] words) throws Exception {
    System.exit(command(words));
  }

  private static int command(String[] words) throws Exception {
    List<String> names = new ArrayList<>();
    Path agent = builtAgent();
    int parallel = 6;
    int minutes = 30;
    boolean isWriting = false;
    String output = "";
    for (int i = 0; i < words.length; i++) {
      switch (words[i]) {
        case "--agent" -> agent = Path.of(words[++i]);
        case "--parallel" -> parallel = Integer.parseInt(words[++i]);
        case "--minutes" -> minutes = Integer.parseInt(words[++i]);
        case "--output" -> output = words[++i];
        case "--write" -> isWriting = true;
        default -> names.add(words[i]);
      }
    }
    String command = names.isEmpty() ? "" : names.get(0);
    Pattern pattern = Pattern.compile(names.size() > 1 ? names.get(1) : "");
    List<Scenario> scenarios = new ArrayList<>();
    switch (command) {
      case "names" -> {
        scenarios.addAll(Scenarios.allFaults());
        scenarios.addAll(Scenarios.allHealthy());
        scenarios.forEach(each -> System.out.println(each.kind() + " " + each.name()));
        return 0;
      }
      case "faults" -> scenarios.addAll(Scenarios.allFaults());
      case "healthy" -> scenarios.addAll(Scenarios.allHealthy());
      default -> {
        System.err.println(USAGE);
        return 2;
      }
    }
    scenarios.removeIf(scenario -> !pattern.matcher(scenario.name()).find());
    if (scenarios.isEmpty()) {
      System.err.println("no scenario has a name with " + pattern + ": \"names\" prints them");
      return 2;
    }
    RunScenarios runner = new RunScenarios(agent, parallel, minutes);
    List<RunResult> results = runner.run(scenarios, isWriting);
    ConfusionReport report = new ConfusionReport(results);
    System.out.println(report.markdown());
    if (!output.isEmpty()) {
      Files.writeString(Path.of(output), json(results));
    }
    return results.isEmpty() || !report.missed().isEmpty() ? 1 : 0;
  }

  /**
   * Runs scenarios, and returns their results. It prints the names of those that it skips.
   *
   * @param isWriting whether the examples in the documentation are replaced
   */
  public List<RunResult> run(List<Scenario> scenarios, boolean isWriting)
      throws InterruptedException, ExecutionException, IOException {
    if (!Files.exists(agent)) {
      throw new IllegalArgumentException("agent: " + agent + " does not exist; build it first");
    }
    ExecutorService executor = Executors.newFixedThreadPool(parallel);
    try {
      List<Future<RunResult>> running = new ArrayList<>();
      for (Scenario scenario : scenarios) {
        if (HostProcess.jdkHome(scenario.jdk()).isEmpty()) {
          System.out.println("skipped " + scenario.name() + ": no JDK " + scenario.jdk());
        } else {
          running.add(executor.submit(() -> runOne(scenario, isWriting)));
        }
      }
      List<RunResult> results = new ArrayList<>();
      for (Future<RunResult> each : running) {
        results.add(each.get());
      }
      return results;
    } finally {
      executor.shutdownNow();
    }
  }

  private RunResult runOne(Scenario scenario, boolean isWriting)
      throws InterruptedException, IOException {
    ScenarioRun run = new ScenarioRun(scenario, agent, directory, minutes * 60);
    RunResult result = run.run();
    System.out.printf(
        "%s %s: %s %s after %.0f s, %s %s%n",
        LocalTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.SECONDS),
        scenario.name(),
        result.first().kind(),
        result.first().confidence(),
        result.lastSecond(),
        run.resident(),
        result.failure());
    if (isWriting && !run.example().isEmpty()) {
      synchronized (this) {
        new DiagnosingPage(Repository.path("docs/diagnosing.md"))
            .write(scenario.kind(), run.example());
      }
    }
    return result;
  }

  private static String json(List<RunResult> results) {
    JsonArray array = new JsonArray();
    for (RunResult result : results) {
      JsonObject object = new JsonObject();
      object.put("name", result.scenario().name());
      object.put("expected", new JsonArray(result.scenario().expected()));
      object.put("first", result.first().kind());
      object.put("confidence", result.first().confidence());
      object.put("right_seconds", orNull(result.rightSecond()));
      object.put("high_seconds", orNull(result.highSecond()));
      object.put("high_kinds", new JsonArray(result.highKinds()));
      object.put("failure", result.failure());
      JsonArray alarms = new JsonArray();
      for (RunResult.Alarm alarm : result.alarms()) {
        JsonObject entry = new JsonObject();
        entry.put("seconds", alarm.second());
        entry.put("polls", alarm.polls());
        entry.put("kind", alarm.finding().kind());
        entry.put("confidence", alarm.finding().confidence());
        entry.put("what", alarm.finding().what());
        alarms.add(entry);
      }
      object.put("findings", alarms);
      array.add(object);
    }
    return JsonWriter.string(array) + "\n";
  }

  private static @Nullable Double orNull(double value) {
    return Double.isNaN(value) ? null : value;
  }
}
