/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.testing.Tool;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A process that is scraped in two ways, of which one shows the names of sites, and the other
 * hashes and fewer of them: the panels' totals are its own all the same.
 */
@Timeout(60)
class TotalsOfSitesTest {
  private static final int LIMIT_SECONDS = 50;

  /** Both add up to 8; old ones have become older between the two. */
  private static final String[][] SERIES = {
    {"hosts", "com.shop.Cart.add:42", "under_1m", "5"},
    {"hosts", "com.shop.Order.pay:7", "older", "2"},
    {"hosts", "other", "older", "1"},
    {"sidecar", "#3f9c2a11", "under_1m", "5"},
    {"sidecar", "other", "older", "3"}
  };

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "leaks.json, Live bytes, cistern_live_bytes, 8",
    "leaks.json, Leaks found, cistern_leaks_total, 8",
    "leaks.json, Leak rate, cistern_leaked_bytes_total, 8",
    "overview.json, Leak rate, cistern_leaked_bytes_total, 8",
    "overview.json, Leak rate by application, cistern_leaked_bytes_total, 8",
    "jvm.json, Leaked bytes, cistern_leaked_bytes_total, 320"
  })
  void theTotalIsThatOfTheProcess(String file, String panel, String metric, int total)
      throws Exception {
    Dashboard dashboard = Dashboard.named(file);
    String query = dashboard.queries(dashboard.panel(panel)).get(0).filledIn();
    StringBuilder test = new StringBuilder("evaluation_interval: 2s\ntests:\n  - interval: 2s\n");
    test.append("    input_series:\n");
    for (String[] each : SERIES) {
      test.append("      - series: '").append(series(metric, each)).append("'\n");
      test.append("        values: '").append(values(metric, each[3])).append("'\n");
    }
    test.append("    promql_expr_test:\n      - expr: 'round(sum(")
        .append(query)
        .append("), 0.001)'\n        eval_time: 40s\n        exp_samples: [{labels: '{}', value: ")
        .append(total)
        .append("}]\n");
    Path tests = Files.writeString(directory.resolve("totals.yaml"), test);
    String promtool = Tool.path("promtool", "prometheus");
    Tool.Outcome outcome =
        Tool.run(new ProcessBuilder(promtool, "test", "rules", tests.toString()), LIMIT_SECONDS);
    assertThat(outcome.status()).as(outcome.printed()).isZero();
  }

  private static String series(String metric, String[] of) {
    String age = metric.equals("cistern_live_bytes") ? "\", age=\"" + of[2] : "";
    return metric
        + "{job=\"%s\", instance=\"%s:1\", application=\"shop\", host_id=\"aaaaaaaaaaaaaaaa\", "
            .formatted(of[0], of[0])
        + "pool=\"io.netty\", memory=\"direct\", site=\"%s%s\"}".formatted(of[1], age);
  }

  /** Rates are by second. */
  private static String values(String metric, String value) {
    int each = Integer.parseInt(value);
    boolean isRate = metric.equals("cistern_leaked_bytes_total");
    return isRate ? "0+" + 2 * each + "x100" : each + "x100";
  }
}
