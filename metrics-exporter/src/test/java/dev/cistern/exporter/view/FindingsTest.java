/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.exporter.Reports;
import dev.cistern.exporter.finding.Diagnosed;
import dev.cistern.exporter.report.Finding;
import dev.cistern.exporter.report.Finding.Kind;
import dev.cistern.exporter.report.HostView;
import org.junit.jupiter.api.Test;

/** The findings for a reader: those of the process, and its end. */
class FindingsTest {
  private static final HostView HOST = HostView.of(Diagnosed.everything(Reports.host()));

  @Test
  void findingsOfARowAreThoseThatWereReported() {
    assertThat(Findings.of(HOST))
        .isEqualTo(Diagnosed.everything(Reports.host()).diagnosis().findings());
    assertThat(Findings.of(HOST).get(0).what()).startsWith("Buffers of com.shop.Cart.encode:42");
  }

  @Test
  void aDeathIsShownBeforeAndAnExitAfterTheFindings() {
    assertThat(Findings.of(HOST.with(HostView.State.DIED, Reports.NOON_MILLIS)))
        .extracting(Finding::kind)
        .startsWith(Kind.PROCESS_DIED, Kind.LEAK);
    assertThat(Findings.of(HOST.with(HostView.State.EXITED, Reports.NOON_MILLIS)))
        .extracting(Finding::kind)
        .startsWith(Kind.LEAK)
        .endsWith(Kind.PROCESS_ENDED);
  }

  @Test
  void anOldReportOfALivingProcessIsFound() {
    HostView stale = HOST.with(HostView.State.UP, Reports.NOON_MILLIS + 31_000);
    assertThat(Findings.of(stale).get(0).what()).contains("last report is 31.0 s old");
    HostView fresh = HOST.with(HostView.State.UP, Reports.NOON_MILLIS + 30_000);
    assertThat(Findings.of(fresh).get(0).kind()).isEqualTo(Kind.LEAK);
  }

  @Test
  void siteNamesCanBeHiddenInEachText() {
    for (Finding finding : Findings.of(HOST)) {
      assertThat(Findings.shown(finding, site -> "0123456789ab").toString())
          .doesNotContain("com.shop");
    }
  }

  @Test
  void theTextsNameEachFindingPartAndLimit() {
    String verdict = VerdictText.of(HOST);
    assertThat(verdict)
        .contains("1. Buffers of com.shop.Cart.encode:42 were never released")
        .contains("the limit direct of 1.0 GiB is reached in 9 min 0 s (7 min 0 s to 13 min 0 s)")
        .contains("rules that failed: BrokenRule");
    assertThat(MemoryText.of(HOST))
        .contains("Java heap")
        .contains("Native allocations and memory kept by malloc")
        .contains("512.0 MiB of direct memory at com.shop.Upload.read:17")
        .contains("io.netty, direct, pooled-1: 48.0 MiB of 64.0 MiB");
    HostView without = HostView.of(Reports.host());
    assertThat(VerdictText.of(without)).contains("No diagnosis.").contains("makes no diagnosis");
    assertThat(MemoryText.of(without)).contains("is not known");
  }
}
