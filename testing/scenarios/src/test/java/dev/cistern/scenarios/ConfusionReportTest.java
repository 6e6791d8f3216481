/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The report counts each run once, by the first finding that lasts. */
class ConfusionReportTest {
  private static final Scenario LEAK = Scenarios.named("leak-dropped-swap-4.1");
  private static final Scenario THREADS = Scenarios.named("threads-500-swap-4.1");
  private static final Scenario HEALTHY = Scenarios.named("steady-rpc-observe-4.2");

  private static Finding finding(String kind, String confidence) {
    return new Finding(kind, confidence, "a sentence");
  }

  private static RunResult result(Scenario scenario, double from, Finding... findings) {
    RunResult result = new RunResult(scenario);
    result.add(from, List.of(findings));
    result.add(from + 5, List.of(findings));
    return result;
  }

  @Test
  void aRightFindingCountsWhenTwoPollsHaveIt() {
    RunResult result = new RunResult(LEAK);
    result.add(5, List.of());
    result.add(10, List.of(finding("leak", "medium")));
    assertThat(result.isRight()).isFalse();
    result.add(15, List.of(finding("leak", "high"), finding("growth", "low")));
    assertThat(result.isRight()).isTrue();
    assertThat(result.rightSecond()).isEqualTo(10);
    assertThat(result.highSecond()).isEqualTo(15);
    result.add(20, List.of(finding("growth", "low"), finding("leak", "high")));
    assertThat(result.isRight()).isFalse();
  }

  @Test
  void aFindingBeforeTheEndOfTheBurstIsNotRight() {
    Scenario burst = Scenarios.named("retention-1g-observe-4.1");
    RunResult result = result(burst, -1, finding("retention", "high"));
    assertThat(result.highKinds()).containsExactly("retention");
    assertThat(result.rightSecond()).isEqualTo(4);
    assertThat(result.isRight()).isFalse();
  }

  @Test
  void allBarsAreMet() {
    ConfusionReport report =
        new ConfusionReport(
            List.of(
                result(LEAK, 20, finding("leak", "high")),
                result(THREADS, 200, finding("many_threads", "medium")),
                result(HEALTHY, 10, finding("growth", "low"))));
    assertThat(report.missed()).isEmpty();
    assertThat(report.rightPercent()).isEqualTo(100);
    assertThat(report.highPercent()).isEqualTo(50);
    assertThat(report.markdown())
        .contains(
            "| leak-dropped-swap-4.1 | leak | leak | high | 20 | 20 |  |",
            "| leak | 1 |  |",
            "| many_threads | 200 |",
            "All bars are met.");
  }

  @Test
  void eachMissedBarIsNamed() {
    ConfusionReport report =
        new ConfusionReport(
            List.of(
                result(LEAK, 70, finding("leak", "medium")),
                result(THREADS, 20, finding("leak", "high")),
                result(HEALTHY, 10, finding("growth", "medium"))));
    assertThat(report.missed())
        .containsExactly(
            "right first findings: 50 % (expected: 90 %)",
            "right findings of high confidence: 0 % (expected: 95 %)",
            "faults with high confidence: 0 % (expected: 50 %)",
            "leak-dropped-swap-4.1: right after 70 s (expected: up to 60)",
            "steady-rpc-observe-4.2: growth (medium) after 10 s in 2 polls: a sentence");
    assertThat(report.markdown()).contains("high: leak", "- Missed: right first");
  }

  @Test
  void aRunThatFailedIsNotRight() {
    RunResult result = result(LEAK, 5, finding("leak", "high"));
    result.fail("process ended with 1");
    assertThat(result.isRight()).isFalse();
    assertThat(new ConfusionReport(List.of(result)).markdown()).contains("process ended with 1");
  }

  @Test
  void theVerdictIsRead() {
    String json =
        """
        {"application":"shop","state":"up","findings":[{"kind":"leak","level":"warning",
        "confidence":"high","what":"Buffers leak.","evidence":["a"],"since_millis":1,
        "memory_bytes":2,"next":"b","site":"c","runbook":"leak"}],"failures":[]}
        """;
    assertThat(Finding.parse(json)).containsExactly(new Finding("leak", "high", "Buffers leak."));
  }

  @Test
  void theTableHasEnoughOfEachAndNoNameTwice() {
    List<String> names = new ArrayList<>();
    Stream.of(Scenarios.allFaults(), Scenarios.allHealthy())
        .flatMap(List::stream)
        .forEach(scenario -> names.add(scenario.name()));
    assertThat(names).doesNotHaveDuplicates();
    assertThat(Scenarios.allFaults()).hasSizeGreaterThanOrEqualTo(75);
    assertThat(Scenarios.allHealthy()).hasSizeGreaterThanOrEqualTo(20);
    assertThat(Scenarios.shortFaults()).hasSize(7);
    assertThat(count("slow_consumer")).isGreaterThanOrEqualTo(6);
    assertThat(count("unread_bodies")).isGreaterThanOrEqualTo(4);
    assertThat(count("pinned_by_slices")).isGreaterThanOrEqualTo(4);
    assertThat(count("orphaned_by_cancel")).isGreaterThanOrEqualTo(3);
    assertThat(Scenarios.allFaults().stream().filter(Scenario::isExample).map(Scenario::kind))
        .doesNotHaveDuplicates()
        .containsAll(Scenarios.allFaults().stream().map(Scenario::kind).toList());
  }

  private static long count(String kind) {
    return Scenarios.allFaults().stream().filter(each -> each.kind().equals(kind)).count();
  }
}
