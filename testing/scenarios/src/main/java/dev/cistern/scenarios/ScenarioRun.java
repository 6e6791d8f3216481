/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.scenarios;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** One run of a scenario, and the polls of its verdict. */
public final class ScenarioRun {
  private static final double POLL_SECONDS = 5;

  /** Limit of the time until a right finding has high confidence. */
  private static final int HIGH_SECONDS = 300;

  /** Limit of the time until a burst has ended. */
  private static final double IDLE_SECONDS = 120;

  private final Scenario scenario;
  private final Path agent;
  private final Path directory;
  private final int healthySeconds;
  private final RunResult result;
  private String example = "";
  private boolean isExampleHigh;
  private long residentAtReady;
  private long residentMost;

  /**
   * Creates a run.
   *
   * @param agent the agent's jar
   * @param directory directory of logs and polls
   * @param healthySeconds length of a run of a healthy workload
   */
  public ScenarioRun(Scenario scenario, Path agent, Path directory, int healthySeconds) {
    this.scenario = scenario;
    this.agent = agent;
    this.directory = directory;
    this.healthySeconds = healthySeconds;
    result = new RunResult(scenario);
  }

  /** Runs the scenario to its end, and returns the result. */
  public RunResult run() throws InterruptedException {
    try (HostProcess host = HostProcess.start(scenario, agent, directory, List.of());
        BufferedWriter polls =
            Files.newBufferedWriter(directory.resolve(scenario.name() + ".jsonl"))) {
      host.awaitReady();
      residentAtReady = host.residentBytes();
      watch(host, polls);
    } catch (IOException e) {
      result.fail(e.getMessage() == null ? e.toString() : e.getMessage());
    }
    return result;
  }

  private void watch(HostProcess host, BufferedWriter polls)
      throws IOException, InterruptedException {
    long ready = System.nanoTime();
    long start = scenario.countsFromIdle() ? Long.MAX_VALUE : ready;
    double nextPoll = 0;
    while (true) {
      Thread.sleep(500);
      String end = host.unexpectedEnd();
      if (!end.isEmpty()) {
        result.fail(end);
        return;
      }
      if (start == Long.MAX_VALUE && host.hasPrinted("IDLE")) {
        start = System.nanoTime();
      }
      double sinceReady = secondsFrom(ready);
      double second = start == Long.MAX_VALUE ? -1 : secondsFrom(start);
      if (second < 0 && sinceReady > IDLE_SECONDS) {
        result.fail("no IDLE within " + IDLE_SECONDS + " s");
        return;
      }
      if (sinceReady >= nextPoll) {
        nextPoll += POLL_SECONDS;
        poll(host, polls, second);
        if (isOver(second)) {
          return;
        }
      }
    }
  }

  private static double secondsFrom(long start) {
    return (System.nanoTime() - start) / (double) TimeUnit.SECONDS.toNanos(1);
  }

  private void poll(HostProcess host, BufferedWriter polls, double second)
      throws IOException, InterruptedException {
    String json = host.get("/verdict?format=json");
    long resident = host.residentBytes();
    residentMost = Math.max(residentMost, resident);
    polls.write(
        String.format(
            Locale.ROOT,
            "{\"second\":%.1f,\"resident_bytes\":%d,\"verdict\":%s}%n",
            second,
            resident,
            json.strip().replaceAll("\\s*\\R\\s*", " ")));
    polls.flush();
    try {
      result.add(second, Finding.parse(json));
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
    boolean isBetter = example.isEmpty() || (result.first().isHigh() && !isExampleHigh);
    if (scenario.isExample() && result.isRight() && isBetter) {
      example = host.get("/verdict");
      isExampleHigh = result.first().isHigh();
    }
  }

  /**
   * Returns whether the run is over. It continues while a right finding has no high confidence, and
   * while a wrong one is before its deadline.
   */
  private boolean isOver(double second) {
    if (scenario.isHealthy()) {
      return second >= healthySeconds;
    }
    if (result.isRight() && result.isHigh()) {
      return true;
    }
    int limit = result.isRight() ? HIGH_SECONDS : scenario.deadlineSeconds();
    return second >= limit;
  }

  /**
   * Returns the verdict as text at the moment of the right finding; an empty text if there was
   * none.
   */
  public String example() {
    return example;
  }

  /** Returns the resident MiB when the workload began, and the highest of all polls. */
  public String resident() {
    return (residentAtReady >> 20) + " to " + (residentMost >> 20) + " MiB resident";
  }
}
