/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.view;

import dev.cistern.exporter.report.Finding;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.MemoryFigures;
import dev.cistern.exporter.report.TextFormat;
import dev.cistern.exporter.schema.Figure;
import dev.cistern.exporter.schema.Row;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The verdict as text for a terminal. */
public final class VerdictText {
  private final StringBuilder text = new StringBuilder();
  private final HostView host;

  private VerdictText(HostView host) {
    this.host = host;
  }

  /** Writes the verdict. */
  public static void write(HostView host, ReportOptions options, OutputStream out)
      throws IOException {
    out.write(of(host).getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the verdict. */
  public static String of(HostView host) {
    VerdictText verdict = new VerdictText(host);
    verdict.text.append(ReportHeader.of("Verdict", host)).append('\n');
    List<Finding> findings = Findings.of(host);
    if (findings.isEmpty()) {
      verdict.text.append(
          Findings.isDiagnosed(host) ? "\nNo problem found.\n" : "\nNo diagnosis.\n");
    }
    for (int i = 0; i < findings.size(); i++) {
      verdict.append(i + 1, findings.get(i));
    }
    verdict.appendLimits();
    host.copies().forEach(copy -> verdict.text.append(HoldersText.summary(copy)));
    String note = Findings.note(host);
    if (!note.isEmpty()) {
      verdict.text.append("\nNot complete: ").append(TextFormat.plain(note)).append(".\n");
    }
    return verdict.text.toString();
  }

  private void append(int number, Finding finding) {
    text.append('\n')
        .append(number)
        .append(". ")
        .append(TextFormat.plain(finding.what()))
        .append(".\n");
    line("kind", finding.kind().label() + ", " + finding.level().label());
    line("confidence", finding.confidence().label());
    for (String each : finding.evidence()) {
      line("evidence", each);
    }
    if (finding.sinceMillis() > 0) {
      long age = Math.max(0, host.timeMillis() - finding.sinceMillis());
      line("since", TextFormat.duration(age));
    }
    line("next step", finding.next());
  }

  private void line(String label, String value) {
    text.append(String.format("   %-11s %s%n", label, TextFormat.plain(value)));
  }

  private void appendLimits() {
    for (Row limit : host.row().rows(MemoryFigures.LIMIT)) {
      long millis = limit.get(MemoryFigures.EXHAUSTION);
      if (millis != Figure.ABSENT && host.isUp()) {
        text.append("\nAt the present rate, the limit ")
            .append(TextFormat.plain(limit.labels().get(0)))
            .append(" of ")
            .append(TextFormat.bytes(limit.orZero(MemoryFigures.LIMIT_BYTES)))
            .append(" is reached in ")
            .append(TextFormat.duration(millis))
            .append(" (")
            .append(TextFormat.duration(limit.orZero(MemoryFigures.EXHAUSTION_EARLIEST)));
        long latest = limit.get(MemoryFigures.EXHAUSTION_LATEST);
        text.append(latest == Figure.ABSENT ? " or later" : " to " + TextFormat.duration(latest))
            .append(").\n");
      }
    }
  }
}
