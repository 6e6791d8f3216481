/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.view;

import com.grack.nanojson.JsonAppendableWriter;
import com.grack.nanojson.JsonWriter;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.MemoryFigures;
import dev.cistern.exporter.schema.Figure;
import dev.cistern.exporter.schema.Row;
import dev.cistern.exporter.schema.RowJson;
import dev.cistern.exporter.schema.Scope;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** The parts of the resident memory as JSON. */
public final class MemoryJson {
  private static final List<Scope<?>> LISTS =
      List.of(MemoryFigures.LIMIT, MemoryFigures.NEED, MemoryFigures.LARGEST, MemoryFigures.ADVICE);

  private MemoryJson() {}

  /** Writes a document. */
  public static void write(HostView host, ReportOptions options, OutputStream out)
      throws IOException {
    Row row = host.row();
    JsonAppendableWriter json = JsonWriter.indent("  ").on(out).object();
    json.value("application", host.application()).value("version", host.version());
    if (row.get(MemoryFigures.RESIDENT_BYTES) != Figure.ABSENT) {
      json.value("time_millis", row.orZero(MemoryFigures.MEASURED_TIME))
          .value("resident_bytes", row.get(MemoryFigures.RESIDENT_BYTES))
          .value("basis", row.get(MemoryFigures.BASIS));
    }
    json.array("parts");
    for (Row part : row.rows(MemoryFigures.PART)) {
      json.object()
          .value("part", part.labels().get(0))
          .value("bytes", part.orZero(MemoryFigures.PART_BYTES))
          .end();
    }
    json.end();
    for (Scope<?> scope : LISTS) {
      json.array(scope.key());
      for (Row each : row.rows(scope)) {
        json.object();
        RowJson.writeOnly(json, each);
        json.end();
      }
      json.end();
    }
    json.end().done();
    out.write('\n');
  }
}
