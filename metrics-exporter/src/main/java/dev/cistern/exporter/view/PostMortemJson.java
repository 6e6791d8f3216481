/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.view;

import com.grack.nanojson.JsonAppendableWriter;
import com.grack.nanojson.JsonWriter;
import dev.cistern.exporter.report.PostMortem;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** Post-mortems as JSON. */
public final class PostMortemJson {
  private PostMortemJson() {}

  public static void write(List<PostMortem> all, OutputStream out) throws IOException {
    OutputStreamWriter writer = new OutputStreamWriter(out, StandardCharsets.UTF_8);
    JsonAppendableWriter json = JsonWriter.indent("  ").on(writer);
    json.object().array("postmortems");
    for (PostMortem each : all) {
      json.object()
          .value("host_id", each.host().id())
          .value("state", each.state().name().toLowerCase(Locale.ROOT))
          .value("application", each.host().application())
          .value("pod", each.host().pod())
          .value("container", each.host().container())
          .value("pid", each.host().pid())
          .value("version", each.host().version())
          .value("started", Json.time(each.host().startMillis()))
          .value("last_alive", Json.time(each.heartbeatMillis()))
          .value("found", Json.time(each.foundMillis()))
          .value("bytes", each.bytes())
          .end();
    }
    json.end().end().done();
    writer.flush();
  }
}
