/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.exporter.page.ReportForm;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.PoolReport;
import dev.cistern.exporter.view.LeaksText;
import dev.cistern.exporter.view.LiveText;
import dev.cistern.exporter.view.ReportOptions;
import dev.cistern.leak.report.CallStack;
import dev.cistern.leak.report.LeakAccess;
import dev.cistern.leak.report.LeakEntry;
import dev.cistern.leak.report.LeakRecord;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.LiveStack;
import dev.cistern.leak.report.SiteTrend;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Reports as text for a terminal: empty, crowded or unusual ones. */
class ReportTextTest {
  private static String write(ReportForm form, ReportOptions options, PoolReport copy)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    form.write(HostView.of(Reports.host(copy)), options, out);
    return out.toString(StandardCharsets.UTF_8);
  }

  private static String live(ReportOptions options, LiveReport live) throws IOException {
    return write(LiveText::write, options, Reports.copy("io.netty", LeakReport.EMPTY, live));
  }

  private static String leaks(ReportOptions options, LeakReport leaks) throws IOException {
    return write(LeaksText::write, options, Reports.copy("io.netty", leaks, LiveReport.EMPTY));
  }

  private static LiveStack stack(String site, int depth, long bytes) {
    List<String> frames =
        IntStream.range(0, depth).mapToObj(i -> "a.B.m" + i + "(B.java:1)").toList();
    return new LiveStack(
        "direct", new CallStack(site, frames, 0, 0), 0, 0, Reports.estimate(1, bytes));
  }

  @Test
  void anEmptyReportSaysSo() throws Exception {
    assertThat(live(ReportOptions.FOLDED, LiveReport.EMPTY))
        .contains("sampling is off (interval 0)", "direct memory: no sample is live");
    assertThat(leaks(ReportOptions.FOLDED, LeakReport.EMPTY))
        .contains("level disabled: 0 sampled buffers in use, no leak found");
  }

  @Test
  void aSuspectThatHoldsNothingNowIsStillNamed() throws Exception {
    SiteTrend trend = new SiteTrend("heap", "a.B.gone:1", 5, 6, Reports.NOON_MILLIS);
    assertThat(
            live(
                ReportOptions.FOLDED,
                Reports.live(List.of(stack("a.B.c:1", 1, 9)), List.of(trend))))
        .containsSubsequence(
            "1. SUSPECT a.B.gone:1",
            "heap memory: no sample is live",
            "+5 B in 1 min, +6 B in 5 min; suspected since 2026-11-20T12:00:00Z",
            "2. a.B.c:1");
  }

  @Test
  void longListsAreCutAndFullOnRequest() throws Exception {
    List<LiveStack> stacks =
        IntStream.range(0, 45).mapToObj(i -> stack("a.B.c:" + i, 1, 1_024 + i)).toList();
    LiveReport live = Reports.live(stacks, List.of());
    assertThat(live(ReportOptions.FOLDED, live))
        .contains("\n  40. a.B.c:5 (", "... 5 more sites with 5.0 KiB (?full=true)")
        .doesNotContain("41.");
    assertThat(live(ReportOptions.FULL, live)).contains("\n  45. a.B.c:0 (").doesNotContain("more");
  }

  @Test
  void everySuspectIsShownHoweverMany() throws Exception {
    List<LiveStack> stacks =
        IntStream.range(0, 60).mapToObj(i -> stack("a.B.c:" + i, 1, 1_024 + i)).toList();
    List<SiteTrend> trends =
        IntStream.range(0, 50)
            .mapToObj(i -> new SiteTrend("direct", "a.B.c:" + i, 1, 1, Reports.NOON_MILLIS))
            .toList();
    assertThat(live(ReportOptions.FOLDED, Reports.live(stacks, trends)))
        .contains("\n  50. SUSPECT a.B.c:0 (", "... 10 more sites with 10.5 KiB");
  }

  @Test
  void aSiteWithManyStacksShowsThoseWithTheMostBytes() throws Exception {
    List<LiveStack> stacks =
        IntStream.range(1, 6).mapToObj(i -> stack("a.B.c:1", i, 1_024L * i)).toList();
    assertThat(live(ReportOptions.FOLDED, Reports.live(stacks, List.of())))
        .containsSubsequence(
            "15.0 KiB +- ", "5.0 KiB +- ", "at a.B.m4(", "... 2 more stacks with 3.0 KiB");
    assertThat(live(ReportOptions.FULL, Reports.live(stacks, List.of())))
        .doesNotContain("more stacks");
  }

  @Test
  void manyLeaksAreCutAndFullOnRequest() throws Exception {
    List<LeakEntry> entries =
        IntStream.range(0, 42)
            .mapToObj(i -> Reports.entry("direct", "a.B.c:" + i, 1, 1_024 + i))
            .toList();
    assertThat(leaks(ReportOptions.FOLDED, Reports.leaks(entries)))
        .contains("\n  40. a.B.c:2 (", "... 2 more stacks with 2.0 KiB (?full=true)")
        .doesNotContain("41.");
    assertThat(leaks(ReportOptions.FULL, Reports.leaks(entries))).contains("\n  42. a.B.c:0 (");
  }

  @Test
  void aLeakWithFewDetailsIsShown() throws Exception {
    LeakRecord record =
        new LeakRecord(
            "heap", "composite", 1, 0, "", 0, 0, CallStack.NONE, List.of(), 0, List.of(), 0);
    LeakReport leaks = Reports.leaks(List.of(new LeakEntry(1, 1, 1, 0, 0, record)));
    assertThat(leaks(ReportOptions.FOLDED, leaks))
        .contains("1. unknown", "1 found, an estimated 1 buffer with 1 B of heap memory")
        .contains("(no stack was kept)", "the latest: composite, 1 byte, by thread \"\"")
        .doesNotContain("slot", "uses", "retain");
  }

  @Test
  void aHintOfAnyLengthAndContentDoesNotFillTheTerminal() throws Exception {
    String hint = "\u001b[2J" + "x".repeat(5_000);
    LeakAccess access = new LeakAccess("", hint, "t", 0, 0, CallStack.NONE);
    LeakRecord record =
        new LeakRecord(
            "heap", "pooled", 1, 1, "t", 0, 0, CallStack.NONE, List.of(access), 0, List.of(), 0);
    LeakReport leaks = Reports.leaks(List.of(new LeakEntry(1, 1, 1, 0, 0, record)));
    assertThat(leaks(ReportOptions.FOLDED, leaks))
        .contains("used, 0 ms after the allocation", "hint: ?[2Jxxx", "x ...")
        .doesNotContain("\u001b", "x".repeat(200));
    assertThat(leaks(ReportOptions.FULL, leaks))
        .contains("x".repeat(5_000))
        .doesNotContain("\u001b");
  }

  @Test
  void aLevelOfAnyContentDoesNotCommandTheTerminal() throws Exception {
    LeakReport leaks =
        new LeakReport("\u001b[2J\nlevel", List.of(), List.of(), List.of(), 0, 0, 0, 0);
    assertThat(leaks(ReportOptions.FOLDED, leaks))
        .contains(", level ?[2J?level: ")
        .doesNotContain("\u001b");
  }
}
