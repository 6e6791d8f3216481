/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.exporter.report.HostIdentity;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.ModeChange;
import dev.cistern.exporter.report.PoolReport;
import dev.cistern.exporter.statsfile.StatsFileWriter;
import dev.cistern.leak.report.CallStack;
import dev.cistern.leak.report.HeldSite;
import dev.cistern.leak.report.HeldSite.Place;
import dev.cistern.leak.report.LeakAccess;
import dev.cistern.leak.report.LeakEntry;
import dev.cistern.leak.report.LeakRecord;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LiveDetail;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.stats.NettyReport;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A report contains no secrets, addresses or names of its machine. */
class RedactionTest {
  private static final Redaction REDACTION = new Redaction(List.of("alice", "web1.acme.com", "ab"));

  @ParameterizedTest
  @CsvSource({
    "at 0x7f12ab34cd00 now,at [address] now",
    "at 140234567890123 now,at [address] now",
    "to 10.1.2.3:8080,to [ip]:8080",
    "to fe80::1ff:fe23:4567:890a,to [ip]",
    "to ::1,to [ip]",
    "cannot read /home/bob/secret.txt: gone,cannot read [path]: gone",
    "file:/opt/app.jar!/x,file:[path]",
    "user alice on web1.acme.com,user [name] on [name]",
    "by thread \"pool of bob\",by thread [name]",
    "com.alice.Server.main:12,com.alice.Server.main:12",
    "io.netty 4.1.135.Final: swap,io.netty 4.1.135.Final: swap",
    "2026-11-27T01:48:25Z and 1795745677048,2026-11-27T01:48:25Z and 1795745677048",
    "ab 50 % of its allocations,ab 50 % of its allocations",
  })
  void addressesPathsAndNamesAreReplaced(String text, String redacted) {
    assertThat(REDACTION.text(text)).isEqualTo(redacted);
  }

  @Test
  void numbersOfJsonStay() {
    assertThat(REDACTION.json("{\"a\":\"0x12 \\\"alice\\\"\",\"b\":140234567890123}"))
        .isEqualTo("{\"a\":\"[address] \\\"[name]\\\"\",\"b\":140234567890123}");
  }

  @Test
  void secretsWithCharactersThatTextsEscapeAreReplaced() {
    Redaction redaction = new Redaction(List.of("p\"ss-word", "two\nlines"));
    assertThat(redaction.json("{\"a\":\"by p\\\"ss-word\",\"b\":\"two\\nlines\"}"))
        .isEqualTo("{\"a\":\"by [name]\",\"b\":\"[name]\"}");
    assertThat(redaction.text("p\"ss-word, two?lines")).isEqualTo("[name], [name]");
  }

  @Test
  void aPathInQuotesLeavesTheJsonWhole() {
    assertThat(REDACTION.json("{\"a\":\"no \\\"/srv/x\\\" there\"}"))
        .isEqualTo("{\"a\":\"no \\\"[path]\\\" there\"}");
  }

  @Test
  void aLongStringOfJsonIsRedacted() {
    String text = "x\\\\ ".repeat(100_000);
    assertThat(REDACTION.json('"' + text + "alice\"")).isEqualTo('"' + text + "[name]\"");
  }

  @Test
  void nothingPlantedIsInAnArchive(@TempDir Path folder) throws Exception {
    CallStack stack = new CallStack("com.acme.Server.read:12", List.of("com.acme.Frame"), 0, 0);
    LeakAccess access = new LeakAccess("readByte", "payload-in-hint", "t-secret", 1, 0, stack);
    LeakRecord latest =
        new LeakRecord(
            "direct",
            "pooled",
            8,
            16,
            "secret-thread",
            1,
            1,
            stack,
            List.of(access),
            0,
            List.of(),
            0);
    LeakReport leaks =
        new LeakReport(
            "simple",
            List.of(new LeakEntry(1, 1, 8, 1, 1, latest)),
            List.of(),
            List.of(),
            1,
            0,
            0,
            0);
    HeldSite held =
        new HeldSite(
            "direct", "com.acme.Server.read:12", Place.HINT, "payload-in-hint", 1, 8, 8, 0, 1);
    LiveDetail detail = new LiveDetail(List.of(), List.of(), List.of(held), List.of(), 0, 0);
    PoolReport copy =
        new PoolReport(
            "io.netty",
            "4.1.135.Final",
            "observe",
            "cannot map /srv/private at 0x7fabcdef0123 for env-value-123 on 10.9.8.7",
            List.of(),
            1,
            2,
            3,
            leaks,
            new LiveReport(1, 0, List.of(), List.of(), 0, detail),
            NettyReport.NONE,
            ModeChange.UNKNOWN,
            List.of());
    HostIdentity host =
        new HostIdentity("00000000000000ff", "secret-app", "pod-7", "box-8", 4711, "1.0", 1);
    Map<String, String> files;
    try (StatsFileWriter writer =
        StatsFileWriter.create(folder, host, StatsFileWriter.MIN_BYTES, 1_000)) {
      writer.write(HostView.of(new HostReport(host, 2, 0, List.of(copy))));
      Path file = folder.resolve(host.id() + StatsFileWriter.SUFFIX);
      HostView read = new AgentProcess(4711, null, file, host).report();
      files = ReportCommand.entries(read, "java: 17\n", List.of("env-value-123"));
    }
    assertThat(files)
        .containsKeys(
            "README.txt",
            "versions.txt",
            "why.txt",
            "top.txt",
            "leaks.txt",
            "live.txt",
            "figures.json");
    String all = String.join("\n", files.values());
    assertThat(all)
        .contains(
            "com.acme.Server.read:12",
            "java: 17",
            "\"fallback_allocations\":2",
            "[path]",
            "[address]")
        .doesNotContain(
            "private",
            "7fabcdef0123",
            "env-value-123",
            "10.9.8.7",
            "secret-app",
            "pod-7",
            "box-8",
            "4711",
            "00000000000000ff",
            "secret-thread",
            "payload-in-hint",
            "t-secret",
            "com.acme.Frame");
  }
}
