/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.exporter.Reports;
import dev.cistern.exporter.report.CopyReport;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.ModeChange;
import dev.cistern.leak.report.LeakEntry;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.LiveStack;
import dev.cistern.leak.report.SiteTrend;
import dev.cistern.stats.NettyReport;
import dev.cistern.stats.PoolSnapshot;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The sentence about a process names what matters most. */
class VerdictTest {
  private static final String CART = "com.shop.Cart.encode:42";
  private static final String ORDER = "com.shop.Order.<init>:7";
  private static final long LIMIT = 430_000_000;

  private static final LiveReport GROWING =
      Reports.live(
          List.of(growing(CART)),
          List.of(new SiteTrend("direct", CART, 1 << 20, 5 << 20, Reports.NOON_MILLIS - 60_000)));

  private static LiveStack growing(String site) {
    return Reports.stack("direct", site, 40, 9 << 20);
  }

  private static HostView host(
      PoolSnapshot pool, LeakReport leaks, LiveReport live, long fallbacks, long faults) {
    CopyReport copy =
        new CopyReport(
            "io.netty",
            "4.1.135.Final",
            "swap",
            "",
            List.of(pool),
            10,
            fallbacks,
            faults,
            leaks,
            live,
            NettyReport.NONE,
            ModeChange.UNKNOWN,
            List.of());
    return HostView.of(Reports.host(copy));
  }

  private static HostView calm(long fallbacks, long faults) {
    PoolSnapshot pool = Reports.calm("direct", 0, 1L << 30);
    return host(pool, LeakReport.EMPTY, LiveReport.EMPTY, fallbacks, faults);
  }

  private static LeakReport leaks(String site) {
    LeakEntry entry = Reports.entry("direct", site, 3, 3_000);
    return Reports.leaks(List.of(entry));
  }

  @Test
  void withoutAProblemItSaysSo() {
    Verdict verdict = Verdict.of(calm(0, 0));
    assertThat(verdict.level()).isEqualTo(Verdict.Level.FINE);
    assertThat(verdict.what()).isEqualTo("No problem found");
    assertThat(verdict.sinceMillis()).isEqualTo(Reports.NOON_MILLIS);
  }

  @Test
  void fallbacksAreANoticeAndFaultsAWarning() {
    assertThat(Verdict.of(calm(7, 0)).level()).isEqualTo(Verdict.Level.NOTICE);
    Verdict faults = Verdict.of(calm(7, 1));
    assertThat(faults.level()).isEqualTo(Verdict.Level.WARNING);
    assertThat(faults.what()).contains("1 fault");
  }

  @Test
  void aLeakOfASuspectedSiteIsNamedOnceAndIsCertain() {
    PoolSnapshot pool = Reports.calm("direct", 0, 1L << 30);
    Verdict suspect = Verdict.of(host(pool, LeakReport.EMPTY, GROWING, 0, 0));
    assertThat(suspect.what()).startsWith("Memory of " + CART + " grows");
    assertThat(suspect.sure()).startsWith("likely");
    assertThat(suspect.sinceMillis()).isEqualTo(Reports.NOON_MILLIS - 60_000);
    Verdict same = Verdict.of(host(pool, leaks(CART), GROWING, 0, 0));
    assertThat(same.what()).startsWith("Buffers of " + CART + " were never released");
    assertThat(same.sure()).startsWith("certain");
    assertThat(Verdict.of(host(pool, leaks(ORDER), GROWING, 0, 0)).site()).isEqualTo(ORDER);
  }

  /** Of 425 MB that are counted, the pool has 17 MB free: they are there for the next buffers. */
  @Test
  void memoryIsNearItsLimitWithoutWhatThePoolHasFree() {
    PoolSnapshot full = Reports.calm("direct", 400_000_000, LIMIT);
    Verdict verdict = Verdict.of(host(full, LeakReport.EMPTY, LiveReport.EMPTY, 0, 0));
    assertThat(verdict.level()).isEqualTo(Verdict.Level.CRITICAL);
    assertThat(verdict.what()).contains("direct memory are used");
    PoolSnapshot free = Reports.calm("direct", 0, 26_000_000);
    assertThat(Verdict.of(host(free, LeakReport.EMPTY, LiveReport.EMPTY, 0, 0)).level())
        .isEqualTo(Verdict.Level.FINE);
  }

  @Test
  void memoryNearItsLimitMattersMoreThanALeakAndThatMoreThanFailures() {
    PoolSnapshot full = Reports.snapshot("direct", 400_000_000, LIMIT);
    assertThat(Verdict.of(host(full, leaks(CART), LiveReport.EMPTY, 0, 0)).what())
        .contains("direct memory are used");
    PoolSnapshot failing = Reports.snapshot("direct", 0, 1L << 30);
    assertThat(Verdict.of(host(failing, leaks(CART), LiveReport.EMPTY, 0, 0)).site())
        .isEqualTo(CART);
    assertThat(Verdict.of(host(failing, LeakReport.EMPTY, LiveReport.EMPTY, 0, 0)).what())
        .endsWith("of direct memory failed since the start");
  }

  @Test
  void theEndOfAProcessMattersMost() {
    HostView calm = calm(0, 1);
    Verdict died = Verdict.of(calm.with(HostView.State.DIED, Reports.NOON_MILLIS));
    assertThat(died.level()).isEqualTo(Verdict.Level.CRITICAL);
    assertThat(died.what()).contains("killed or has crashed");
    assertThat(Verdict.of(calm(0, 0).with(HostView.State.EXITED, Reports.NOON_MILLIS)).what())
        .contains("has ended as it should");
    PoolSnapshot full = Reports.calm("direct", 400_000_000, LIMIT);
    HostView ended =
        host(full, LeakReport.EMPTY, LiveReport.EMPTY, 0, 0)
            .with(HostView.State.EXITED, Reports.NOON_MILLIS);
    assertThat(Verdict.of(ended).what()).contains("has ended as it should");
  }

  @Test
  void aReportThatIsOldWhileTheHeartbeatGoesOnIsAWarning() {
    HostView stale = calm(0, 0).with(HostView.State.UP, Reports.NOON_MILLIS + 31_000);
    assertThat(Verdict.of(stale).what()).contains("last report is 31.0 s old");
    HostView fresh = calm(0, 0).with(HostView.State.UP, Reports.NOON_MILLIS + 30_000);
    assertThat(Verdict.of(fresh).level()).isEqualTo(Verdict.Level.FINE);
  }
}
