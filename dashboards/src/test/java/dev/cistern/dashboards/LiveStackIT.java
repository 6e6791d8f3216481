/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.dashboards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.exporter.Browser;
import dev.cistern.testing.Repository;
import dev.cistern.testing.Tool;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs all queries against live processes. A Prometheus scrapes the processes of {@link Scenario}
 * for two minutes, both directly and through a sidecar, and an Alertmanager sends the alerts to a
 * webhook of this test. Time in the rules is faster ({@link FasterRules}). {@link PanelPage} draws
 * the panels in a browser, without Grafana.
 */
@Timeout(300)
class LiveStackIT {
  private static final Duration LOAD = Duration.ofMinutes(2);

  private static final int PAGE_WIDTH = 1_400;
  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** A scrape ends within this time, because it takes no longer than the interval. */
  private static final int SCRAPE_SECONDS = LivePrometheus.SCRAPE_INTERVAL_SECONDS + 1;

  /** Second at which a process is suspended; its heartbeat is stale after 90 s. */
  private static final int FREEZE_SECONDS = 14;

  private static final int KILL_SECONDS = 45;

  /** Second until which caches serve nearly all allocations: nearly an hour of the rules' time. */
  private static final int PAST_CACHES_SECONDS = 55;

  private static final int LOOKS = 8;

  /** Each alert that must fire, with the application for which it fires. */
  private static final Map<String, String> EXPECTED =
      new TreeMap<>(
          Map.of(
              "CisternProcessDied", "doomed",
              "CisternHeartbeatStale", "frozen",
              "CisternSeriesDropped",
                  "", // its series belong to an exporter, which has no application
              "CisternDirectMemoryNearLimit", "leaky",
              "CisternFinding", "leaky", // its limit is nearly used up
              "CisternReservedFarAbovePinned", "hoarder",
              "CisternCacheHitRatioCollapsed", "uploads",
              "CisternSuspectedLeak", "leaky",
              "CisternLeak", "leaky"));

  /** Each alert that must not fire, with the reason. */
  private static final Map<String, String> SILENT =
      Map.of(
          "CisternAllocationsFail",
          "the leak ends before the limit, and no other process is near it",
          "CisternMemoryExhaustionAhead",
          "no time is estimated in the first four minutes; promtool tests the rule",
          "CisternSlowConsumer",
          "all clients read what they requested",
          "CisternReportStale",
          "no process reports late while its heartbeat continues");

  /** Alerts on an application, which compare no single process because all processes can be new. */
  private static final Set<String> OF_APPLICATIONS = Set.of("CisternCacheHitRatioCollapsed");

  /** Queries for the output: the values that the alerts depend on. */
  private static final List<String> FIGURES =
      List.of(
          "up",
          "max by (application) (cistern_reserved_bytes{memory='direct'})",
          "max by (application) (cistern_pinned_bytes{memory='direct'})",
          "max by (application) (cistern_suspect_sites)",
          "sum by (application) (max by (application, memory)"
              + " (rate(cistern_thread_cache_requests_total[8s])))");

  @TempDir static Path directory;

  private static Path statsFiles;
  private static Webhook webhook;
  private static Alertmanager alertmanager;
  private static Scenario scenario;
  private static LiveSidecar sidecar;
  private static LivePrometheus prometheus;
  private static Span span;
  private static long aliveBefore;
  private static long aliveAfter;
  private static long started;

  @BeforeAll
  @Timeout(300)
  static void runTheScenario() throws Exception {
    Tool.path("prometheus", "prometheus");
    started = System.nanoTime();
    Path memory = Path.of("/dev/shm");
    statsFiles =
        Files.createTempDirectory(
            Files.isWritable(memory) ? memory : directory, "cistern-live-stack");
    webhook = Webhook.start();
    alertmanager = Alertmanager.start(directory, webhook.port());
    scenario = Scenario.start(statsFiles, directory);
    Files.writeString(statsFiles.resolve("0123456789abcdef.cistern"), "no stats file");
    sidecar = LiveSidecar.start(statsFiles);
    scenario.liveAndRetire(sidecar);
    scenario.burst();
    prometheus = startPrometheus();
    scenario.startLoad();
    measure();
  }

  private static LivePrometheus startPrometheus() throws IOException {
    List<Path> rules = new ArrayList<>();
    for (String file : List.of("rules.yaml", "alerts.yaml")) {
      rules.add(FasterRules.copy(Repository.path("dashboards").resolve(file), directory));
    }
    Map<String, List<Integer>> jobs =
        Map.of("hosts", scenario.metricsPorts(), "sidecar", List.of(sidecar.port()));
    return LivePrometheus.start(directory, jobs, rules, alertmanager.port());
  }

  private static void measure() throws Exception {
    long start = System.currentTimeMillis() / 1_000;
    aliveBefore = scenario.alive();
    awaitSecond(start + FREEZE_SECONDS);
    scenario.host("frozen").freeze();
    awaitSecond(start + KILL_SECONDS);
    scenario.host("doomed").kill();
    awaitSecond(start + PAST_CACHES_SECONDS);
    scenario.allocatePastTheCaches();
    awaitSecond(start + LOAD.toSeconds());
    aliveAfter = scenario.alive();
    span = Span.of(start, secondWithSidecar(start + LOAD.toSeconds()));
    say("load of %d s, %.0f s after the start", span.seconds(), seconds());
    FIGURES.forEach(LiveStackIT::sayFigure);
  }

  /** Prints some values of each series over the span. */
  private static void sayFigure(String figure) {
    Span coarse = new Span(span.startSeconds(), span.endSeconds(), span.seconds() / LOOKS);
    for (Series series : prometheus.range(figure, coarse)) {
      String values =
          series.points().stream()
              .map(point -> String.format(Locale.ROOT, "%.3g", point.value()))
              .collect(Collectors.joining(" "));
      say("%s %s: %s", figure, series.labels().values(), values);
    }
  }

  /**
   * Returns a second, not before {@code earliest}, at which the last scrape of the sidecar
   * succeeded: a scrape can fail on a machine under load. All scrapes before that second have
   * ended.
   */
  private static long secondWithSidecar(long earliest) {
    return await()
        .atMost(LIMIT)
        .until(
            () -> {
              long second = System.currentTimeMillis() / 1_000 - SCRAPE_SECONDS;
              return second >= earliest && isSidecarUp(second) ? second : 0;
            },
            second -> second > 0);
  }

  private static boolean isSidecarUp(long second) {
    List<Series> up = prometheus.instant("min(up{job='sidecar'})", second);
    return up.size() == 1 && up.get(0).last() == 1;
  }

  /** Waits until a second of the scenario. */
  private static void awaitSecond(long second) {
    await().atMost(LOAD).until(() -> System.currentTimeMillis() >= second * 1_000);
  }

  private static String hostId(String application) {
    String selector = "cistern_host_up{application=\"" + application + "\"}";
    return prometheus.labelValues("host_id", selector, span).get(0);
  }

  private static double seconds() {
    return (System.nanoTime() - started) / 1e9;
  }

  private static void say(String format, Object... arguments) {
    System.out.printf(Locale.ROOT, format + "%n", arguments);
  }

  @AfterAll
  static void endAll() throws IOException {
    for (AutoCloseable part :
        new AutoCloseable[] {prometheus, sidecar, scenario, alertmanager, webhook}) {
      if (part != null) {
        try {
          part.close();
        } catch (Exception e) {
          throw new AssertionError(e);
        }
      }
    }
    if (statsFiles != null) {
      try (Stream<Path> files = Files.walk(statsFiles)) {
        files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
      }
    }
    say("ended after %.0f s", seconds());
  }

  @Test
  void everyPanelsQueriesReturnFiniteDataWithTheLabelsOfTheLegend() {
    List<String> faults = new ArrayList<>();
    Set<String> empty = new TreeSet<>();
    int queries = 0;
    for (Dashboard dashboard : Dashboard.all()) {
      PanelQueries filled = new PanelQueries(dashboard, Map.of(), span);
      for (Answers.Answer answer : Answers.of(prometheus, filled, span).all()) {
        queries += 2;
        say(
            "%s: %d series now, %d in the span, %d ms",
            answer.target().name(),
            answer.instant().size(),
            answer.range().size(),
            answer.millis());
        if (answer.isEmpty()) {
          empty.add(answer.target().name());
        }
        faults.addAll(answer.faults(labels(answer.target().legend())));
      }
    }
    say("%d queries", queries);
    assertThat(queries).isPositive();
    assertThat(faults).isEmpty();
    assertThat(empty).containsExactlyInAnyOrderElementsOf(EmptyOnPurpose.reasons().keySet());
  }

  private static Set<String> labels(String legend) {
    return new Dashboard.Query("", "", "", legend).legendLabels();
  }

  @Test
  void everyVariableHasValues() {
    for (Dashboard dashboard : Dashboard.all()) {
      new PanelQueries(dashboard, Map.of(), span)
          .variables()
          .forEach(
              (name, query) -> {
                List<String> values = prometheus.labelValues(query.get(1), query.get(0), span);
                say("%s: $%s: %s", dashboard.file(), name, values);
                assertThat(values).as(dashboard.file() + ": " + name).isNotEmpty();
              });
    }
  }

  @Test
  void variablesThatAreMoreThanLabelsReturnData() {
    for (Dashboard dashboard : Dashboard.all()) {
      PanelQueries filled = new PanelQueries(dashboard, Map.of("job", "sidecar"), span);
      for (Dashboard.Query variable : dashboard.variableExpressions()) {
        String query = filled.fill(variable.expression());
        List<Series> answer = prometheus.instant(query, span.endSeconds());
        assertThat(answer).as(variable.toString()).hasSize(scenario.size());
      }
    }
  }

  @Test
  void eachWayOfScrapingCountsEachProcessOnce() {
    assertThat(aliveAfter).isEqualTo(aliveBefore - 1);
    // the suspended process does not respond
    Map.of("hosts", aliveAfter - 1, "sidecar", aliveAfter)
        .forEach(
            (job, processes) -> {
              String up = "sum(cistern_host_up{job='" + job + "'})";
              assertThat(prometheus.instant(up, span.endSeconds()).get(0).last())
                  .as(job)
                  .isEqualTo((double) processes);
            });
  }

  @Test
  void everyAlertHasItsPartInTheScenario() throws IOException {
    Set<String> all = new TreeSet<>(EXPECTED.keySet());
    all.addAll(SILENT.keySet());
    assertThat(names("alerts.yaml", "alert")).containsExactlyInAnyOrderElementsOf(all);
  }

  /** Returns the names of the rules of a kind in a file. */
  private static List<String> names(String file, String kind) throws IOException {
    String rules = Files.readString(Repository.path("dashboards").resolve(file));
    return Pattern.compile(kind + ": (\\S+)")
        .matcher(rules)
        .results()
        .map(r -> r.group(1))
        .toList();
  }

  @Test
  void onlyTheAlertsOfTheScenarioArrive() {
    await()
        .atMost(LIMIT)
        .untilAsserted(() -> assertThat(fired().keySet()).containsAll(EXPECTED.keySet()));
    fired().forEach((alert, applications) -> say("%s: %s", alert, applications));
    Map<String, Set<String>> expected = new TreeMap<>();
    EXPECTED.forEach((alert, application) -> expected.put(alert, Set.of(application)));
    assertThat(fired()).isEqualTo(expected);
  }

  /** Returns the applications of each alert that fired. */
  private static Map<String, Set<String>> fired() {
    return webhook.fired().stream()
        .collect(
            Collectors.groupingBy(
                Webhook.Alert::name,
                TreeMap::new,
                Collectors.mapping(
                    Webhook.Alert::application, Collectors.toCollection(TreeSet::new))));
  }

  @Test
  void alertsHaveCompleteTexts() {
    assertThat(webhook.fired()).isNotEmpty();
    for (Webhook.Alert alert : webhook.fired()) {
      Map<String, String> texts = new LinkedHashMap<>(alert.annotations());
      say("%s %s: %s", alert.name(), alert.labels(), texts);
      assertThat(texts.keySet()).contains("summary", "description", "runbook_url");
      assertThat(alert.labels().get("severity")).isIn("critical", "warning", "info");
      if (!OF_APPLICATIONS.contains(alert.name())) {
        String hostId = alert.labels().getOrDefault("host_id", ""); // of the sidecar's series only
        assertThat(hostId).matches("([0-9a-f]{16})?");
      }
      assertThat(texts.values())
          .as(alert.name())
          .allSatisfy(text -> assertThat(text).isNotBlank().doesNotContain("<", "{{", "error"));
    }
  }

  @Test
  void everyRecordingRuleRecordsFiniteValues() throws IOException {
    List<String> names = names("rules.yaml", "record");
    assertThat(names).isNotEmpty();
    for (String name : names) {
      assertThat(prometheus.instant(name, span.endSeconds()))
          .as(name)
          .isNotEmpty()
          .allMatch(series -> Double.isFinite(series.last()));
    }
    say("%d recording rules", names.size());
  }

  @Test
  void annotationsReturnData() {
    for (Dashboard dashboard : Dashboard.all()) {
      PanelQueries filled = new PanelQueries(dashboard, Map.of(), span);
      for (Dashboard.Query annotation : dashboard.annotationQueries()) {
        List<Series> answer = prometheus.range(filled.fill(annotation.expression()), span);
        assertThat(answer).as(dashboard.file() + ": " + annotation.panel()).isNotEmpty();
      }
    }
  }

  @Test
  void thePanelsCanBeRendered() throws Exception {
    Path pages = Path.of("target", "screenshots");
    try (Browser browser = Browser.start()) {
      browser.resize(PAGE_WIDTH, Browser.HEIGHT);
      for (Dashboard dashboard : Dashboard.all()) {
        Set<Object> empty = new TreeSet<>();
        Set<Object> expected = new TreeSet<>();
        // Each page shows one way of scraping. The first process has all values except findings.
        for (String application : List.of("shop", "leaky")) {
          String name = dashboard.file().replace(".json", "") + '-' + application;
          Map<String, String> chosen = Map.of("job", "sidecar", "host", hostId(application));
          Answers answers = Answers.of(prometheus, new PanelQueries(dashboard, chosen, span), span);
          Path page = PanelPage.write(dashboard, answers, span, pages);
          browser.load(page.toAbsolutePath().toUri().toString());
          assertThat(browser.text("return document.body.dataset.error || 'drawn'"))
              .as(name)
              .isEqualTo("drawn");
          say("%s", browser.screenshot(name));
          browser.list("return hidden()").forEach(each -> say("has to be scrolled: %s", each));
          assertThat(browser.list("return faults()")).as(name).isEmpty();
          List<Object> ofThis = browser.list("return emptyPanels()");
          if (application.equals("shop")) {
            empty.addAll(ofThis);
          } else {
            empty.retainAll(ofThis);
          }
          expected.addAll(EmptyOnPurpose.panels(answers));
        }
        assertThat(empty).as(dashboard.file()).isEqualTo(expected);
      }
    }
  }
}
