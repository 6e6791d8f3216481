/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.agent.config.ModeRequest;
import dev.cistern.exporter.report.CopyView;
import dev.cistern.exporter.report.HostIdentity;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.ModeChange;
import dev.cistern.exporter.report.PoolReport;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.stats.NettyReport;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A mode that was requested by a file is in force in each copy that the file names. */
class ModeByFileTest {
  private static PoolReport copy(String pool, String mode, String source, long since) {
    return copy(pool, mode, source, since, "");
  }

  private static PoolReport copy(
      String pool, String mode, String source, long since, String reason) {
    return new PoolReport(
        pool,
        "4.1.135.Final",
        mode,
        reason,
        List.of(),
        0,
        0,
        0,
        LeakReport.EMPTY,
        LiveReport.EMPTY,
        NettyReport.NONE,
        new ModeChange(source, since),
        List.of());
  }

  private static HostView report(PoolReport... copies) {
    HostIdentity host = new HostIdentity("00000000000000aa", "shop", "", "", 7, "1", 1);
    return HostView.of(new HostReport(host, 2, 0, List.of(copies)));
  }

  private static final PoolReport OTHER = copy("a.io.netty", "swap", "settings", 1);
  private static final HostView SWAPPED = report(copy("io.netty", "swap", "settings", 1), OTHER);

  private static List<String> notFollowing(HostView before, HostView now, ModeRequest request) {
    return ModeByFile.notFollowing(before, now, request).stream().map(CopyView::pool).toList();
  }

  @Test
  void allCopiesHaveTheMode() throws Exception {
    ModeRequest off = ModeRequest.of("off", null, null);
    HostView now = report(copy("io.netty", "off", "file", 2), copy("a.io.netty", "off", "file", 2));
    assertThat(notFollowing(SWAPPED, now, off)).isEmpty();
    assertThat(notFollowing(now, now, off)).as("again").isEmpty();
  }

  @Test
  void aCopyThatStaysOrFailsIsNamed() throws Exception {
    ModeRequest observe = ModeRequest.of("observe", null, null);
    PoolReport first = copy("io.netty", "observe", "file", 2);
    assertThat(notFollowing(SWAPPED, report(first, OTHER), observe)).containsExactly("a.io.netty");
    PoolReport failed = copy("a.io.netty", "off", "failure", 2, "cannot be observed");
    assertThat(notFollowing(SWAPPED, report(first, failed), observe)).containsExactly("a.io.netty");
  }

  @Test
  void aCopyThatTheSettingsExcludeMayStay() throws Exception {
    PoolReport excluded =
        copy("a.io.netty", "off", "settings", 1, "excluded by the setting exclude");
    HostView before = report(copy("io.netty", "swap", "settings", 1), excluded);
    HostView now = report(copy("io.netty", "observe", "file", 2), excluded);
    assertThat(notFollowing(before, now, ModeRequest.of("observe", null, null))).isEmpty();
    assertThat(notFollowing(before, now, ModeRequest.of("observe", null, "a.*")))
        .as("named, it must follow")
        .containsExactly("a.io.netty");
  }

  @Test
  void otherCopiesThanTheNamedOnesMayStay() throws Exception {
    HostView now = report(copy("io.netty", "off", "file", 2), OTHER);
    assertThat(notFollowing(SWAPPED, now, ModeRequest.of("off", null, "io.netty"))).isEmpty();
    assertThat(notFollowing(SWAPPED, now, ModeRequest.of("off", null, "*.netty")))
        .containsExactly("a.io.netty");
  }

  @Test
  void aCopyThatWaitsForItsHostHasTheCommand() throws Exception {
    PoolReport waits = copy("io.netty", "off", "file", 1, "waits for the host's first buffer");
    HostView before = report(copy("io.netty", "off", "settings", 1, waits.reason()));
    assertThat(notFollowing(before, report(waits), ModeRequest.of("swap", "10", null))).isEmpty();
  }
}
