/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.view;

import com.grack.nanojson.JsonAppendableWriter;
import com.grack.nanojson.JsonWriter;
import dev.cistern.exporter.report.Finding;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.MemoryFigures;
import dev.cistern.exporter.schema.Figure;
import dev.cistern.exporter.schema.Row;
import dev.cistern.exporter.schema.RowJson;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/** The verdict as JSON. */
public final class VerdictJson {
  private VerdictJson() {}

  /** Writes a document. */
  public static void write(HostView host, ReportOptions options, OutputStream out)
      throws IOException {
    JsonAppendableWriter json = JsonWriter.indent("  ").on(out).object();
    json.value("application", host.application())
        .value("version", host.version())
        .value("state", host.state().name().toLowerCase(Locale.ROOT))
        .value("time_millis", host.timeMillis());
    if (host.row().get(MemoryFigures.WATCHED) != Figure.ABSENT) {
      json.value("watched_millis", host.row().get(MemoryFigures.WATCHED));
    }
    writeFindings(json, "findings", Findings.of(host), UnaryOperator.identity());
    json.value("not_complete", Findings.note(host));
    json.array("limits");
    for (Row limit : host.row().rows(MemoryFigures.LIMIT)) {
      json.object();
      RowJson.writeOnly(json, limit);
      json.end();
    }
    json.end().end().done();
    out.write('\n');
  }

  /**
   * Writes an array of findings to the open object.
   *
   * @param siteNames returns the shown name of a site
   */
  static void writeFindings(
      JsonAppendableWriter json,
      String name,
      List<Finding> findings,
      UnaryOperator<String> siteNames) {
    json.array(name);
    for (Finding each : findings) {
      Finding finding = Findings.shown(each, siteNames);
      json.object()
          .value("kind", finding.kind().label())
          .value("level", finding.level().label())
          .value("confidence", finding.confidence().label())
          .value("what", finding.what())
          .array("evidence", finding.evidence())
          .value("since_millis", finding.sinceMillis())
          .value("memory_bytes", finding.bytes())
          .value("next", finding.next())
          .value("site", finding.site())
          .value("runbook", finding.kind().label())
          .end();
    }
    json.end();
  }
}
