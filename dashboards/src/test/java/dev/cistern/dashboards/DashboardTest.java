/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.exporter.Catalogue;
import dev.cistern.testing.Tool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The committed dashboards follow the conventions, and omit no metric without a reason. */
@Timeout(60)
class DashboardTest {
  private static final int LIMIT_SECONDS = 50;

  /** Metrics that no panel shows, with the reason. */
  private static final Map<String, String> LEFT_OUT = leftOut();

  private static Map<String, String> leftOut() {
    Map<String, String> reasons = new TreeMap<>();
    reasons.put(
        "cistern_dumps_total",
        "a dump is on request, or follows an OutOfMemoryError in the log; failures are shown");
    reasons.put("cistern_dumps_removed_total", "as many as were written, once there are enough");
    reasons.put("cistern_swapped_copies", "the mode of each copy is shown");
    reasons.put("cistern_observed_copies", "the mode of each copy is shown");
    reasons.put(
        "cistern_mode_change_timestamp_seconds", "a change is a step in the mode's own line");
    for (String count :
        List.of(
            "cistern_http2_connections",
            "cistern_http2_opened_streams",
            "cistern_http2_failed_calls")) {
      reasons.put(count, "the streams that are open now are shown");
    }
    reasons.put("cistern_allocator_service_timestamp_seconds", "cistern why shows it");
    for (String detail :
        List.of(
            "cistern_memory_measured_timestamp_seconds",
            "cistern_diagnosis_age_seconds",
            "cistern_diagnosis_failed_rules",
            "cistern_finding_since_timestamp_seconds",
            "cistern_memory_exhaustion_earliest_seconds",
            "cistern_memory_exhaustion_latest_seconds",
            "cistern_limit_advice_bytes",
            "cistern_idle_debt_resident_bytes",
            "cistern_idle_debt_age_seconds",
            "cistern_idle_debt_reserved_bytes",
            "cistern_largest_allocation_bytes",
            "cistern_largest_allocation_timestamp_seconds",
            "cistern_collected_direct_bytes",
            "cistern_collection_age_seconds")) {
      reasons.put(detail, "the page, cistern why and cistern memory show it");
    }
    return reasons;
  }

  @TempDir Path directory;

  @Test
  void thereAreThree() {
    assertThat(Dashboard.all())
        .extracting(Dashboard::file)
        .containsExactly("jvm.json", "leaks.json", "overview.json");
  }

  @Test
  void theyKeepTheConventions() {
    assertThat(Dashboard.all()).flatMap(Conventions::check).isEmpty();
  }

  @Test
  void everyMetricIsOnADashboardOrLeftOutForAReason() {
    Set<String> shown = new TreeSet<>();
    for (Dashboard dashboard : Dashboard.all()) {
      dashboard.queries().forEach(q -> shown.addAll(new Expression(q.expression()).metrics()));
    }
    assertThat(shown).doesNotContainAnyElementsOf(LEFT_OUT.keySet());
    shown.addAll(LEFT_OUT.keySet());
    assertThat(shown).containsExactlyElementsOf(new TreeSet<>(Catalogue.rows().keySet()));
  }

  /** Checks the queries as rules, because promtool checks queries only in rules. */
  @Test
  void prometheusUnderstandsEveryQuery() throws Exception {
    StringBuilder rules = new StringBuilder("groups:\n  - name: queries\n    rules:\n");
    List<Dashboard.Query> all =
        Dashboard.all().stream()
            .flatMap(
                each ->
                    Stream.of(each.queries(), each.variableExpressions(), each.annotationQueries()))
            .flatMap(List::stream)
            .toList();
    for (int i = 0; i < all.size(); i++) {
      String quoted = all.get(i).filledIn().replace("'", "''");
      rules
          .append("      - {record: 'query_")
          .append(i)
          .append("', expr: '")
          .append(quoted)
          .append("'}\n");
    }
    Path file = Files.writeString(directory.resolve("queries.yaml"), rules);
    String promtool = Tool.path("promtool", "prometheus");
    Tool.Outcome outcome =
        Tool.run(new ProcessBuilder(promtool, "check", "rules", file.toString()), LIMIT_SECONDS);
    assertThat(outcome.status()).as(outcome.printed()).isZero();
    assertThat(outcome.printed()).contains(all.size() + " rules found");
  }

  /** Grafana writes each series of a result as text, and extracts value and text from it. */
  @Test
  void theVariableOfTheJvmShowsItsApplicationAndPod() {
    String regex =
        Dashboard.named("jvm.json").variables().stream()
            .filter(variable -> "host".equals(variable.getString("name")))
            .map(variable -> variable.getString("regex"))
            .findFirst()
            .orElseThrow();
    String series =
        "{application=\"shop\",host_id=\"00000000000000aa\",jvm=\"shop pod-7 00000000000000aa\",pod=\"pod-7\"} 1 1700000000000";
    Matcher matcher = Pattern.compile(regex.substring(1, regex.length() - 1)).matcher(series);
    assertThat(matcher.find()).isTrue();
    assertThat(matcher.group("value")).isEqualTo("00000000000000aa");
    assertThat(matcher.group("text")).isEqualTo("shop pod-7 00000000000000aa");
  }

  @Test
  void linksLeadToDashboardsThatExist() {
    List<String> links = new ArrayList<>();
    for (Dashboard dashboard : Dashboard.all()) {
      Matcher matcher = Pattern.compile("/d/([\\w-]+)\\?").matcher(dashboard.json().toString());
      matcher.results().forEach(result -> links.add(result.group(1)));
    }
    assertThat(links)
        .isNotEmpty()
        .isSubsetOf(Dashboard.all().stream().map(each -> each.json().getString("uid")).toList());
  }
}
