/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each fault in the real rules is found once, with its file and rule. */
class BrokenRulesTest {
  private static final String ALERTS = RuleFile.text("alerts.yaml");
  private static final String RECORDS = RuleFile.text("rules.yaml");
  private static final String RUNBOOK = RuleFile.text("runbook.md");

  @Test
  void anAlertOnAMetricThatDoesNotExistIsFound() {
    String broken = replaceOnce(ALERTS, "(cistern_suspect_sites)", "(cistern_suspicious_sites)");
    assertThat(check("alerts.yaml", broken))
        .containsExactly(
            "alerts.yaml: CisternSuspectedLeak: metric-exists: cistern_suspicious_sites is not in"
                + " docs/metrics.md");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "severity: critical | severity: grave | CisternDirectMemoryNearLimit: severity: it is 'grave'",
        "alert: CisternLeak | alert: CisternHeartbeatStale | CisternHeartbeatStale: name: there are two",
        "is alive but its heartbeat has stopped | {{ $labels.pod }} | CisternHeartbeatStale: template: no label pod",
        "runbook.md#cisternleak | runbook.md#leak | CisternLeak: runbook_url: it is not dashboards/runbook.md#cisternleak",
        "max by (cluster, namespace, application, host_id, instance, pool, memory) (cistern_suspect_sites)"
            + " | max by (cluster, application, host_id, instance, pool, memory) (cistern_suspect_sites)"
            + " | CisternSuspectedLeak: routing: by (cluster, application, host_id, instance, pool, memory) lacks"
            + " some of [cluster, namespace]",
        "cistern_suspect_sites | cistrn_suspect_sites"
            + " | CisternSuspectedLeak: metric-exists: cistrn_suspect_sites is not in docs/metrics.md",
        "cistern_suspect_sites | cistern_suspect_sites2"
            + " | CisternSuspectedLeak: metric-exists: cistern_suspect_sites2 is not in docs/metrics.md",
        "cistern_suspect_sites | suspect_sites"
            + " | CisternSuspectedLeak: metric-exists: suspect_sites is not in docs/metrics.md",
      })
  void aFaultOfAnAlertIsFound(String from, String to, String finding) {
    assertThat(check("alerts.yaml", replaceOnce(ALERTS, from, to)))
        .contains("alerts.yaml: " + finding);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "record: job:cistern_host_up:sum | record: job_pool:cistern_host_up:sum"
            + " | job_pool:cistern_host_up:sum: name: its labels are [job]",
        "record: job:cistern_host_up:sum | record: jvms | jvms: name: it is not level:metric:operations",
        "expr: job:cistern_thread_cache_hits:rate5m | expr: job:cistern_thread_cache_hit:rate5m"
            + " | job:cistern_thread_cache_hits_per_requests:ratio_rate5m: metric-exists:"
            + " job:cistern_thread_cache_hit:rate5m is not recorded",
      })
  void aFaultOfARecordIsFound(String from, String to, String finding) {
    assertThat(check("rules.yaml", replaceOnce(RECORDS, from, to)))
        .containsExactly("rules.yaml: " + finding);
  }

  @Test
  void anAlertWithoutASectionOrAPartOfItIsFound() {
    RuleFile alerts = RuleFile.parse("alerts.yaml", ALERTS);
    String without = replaceOnce(RUNBOOK, "\n## CisternLeak\n", "\n## CisternLeek\n");
    assertThat(RuleConventions.check(alerts, without))
        .extracting(Finding::toString)
        .containsExactly("alerts.yaml: CisternLeak: runbook: there is no section in runbook.md");
    assertThat(RuleConventions.checkSections(alerts, without))
        .extracting(Finding::toString)
        .containsExactly("runbook.md: CisternLeek: runbook: there is no such alert");
    int last = RUNBOOK.lastIndexOf("**Remedy.**");
    assertThat(RuleConventions.check(alerts, RUNBOOK.substring(0, last)))
        .extracting(Finding::toString)
        .containsExactly("alerts.yaml: CisternLeak: runbook: its section has no Remedy");
  }

  @Test
  void aRuleWithoutATestIsFound() {
    RuleFile alerts =
        RuleFile.parse("alerts.yaml", replaceOnce(ALERTS, "CisternLeak\n", "CisternLeek\n"));
    assertThat(RuleTests.read().missing(alerts))
        .extracting(Finding::toString)
        .containsExactly(
            "alerts.yaml: CisternLeek: tested: it fires in no test",
            "alerts.yaml: CisternLeek: tested: no test sees it silent");
  }

  private static List<String> check(String file, String text) {
    return RuleConventions.check(RuleFile.parse(file, text), RUNBOOK).stream()
        .map(Finding::toString)
        .toList();
  }

  private static String replaceOnce(String text, String from, String to) {
    int place = text.indexOf(from);
    assertThat(place).as(from).isNotNegative();
    return text.substring(0, place) + to + text.substring(place + from.length());
  }
}
