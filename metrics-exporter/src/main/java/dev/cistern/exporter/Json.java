/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import com.grack.nanojson.JsonAppendableWriter;
import com.grack.nanojson.JsonWriter;
import dev.cistern.leak.CallStack;
import java.io.OutputStream;
import java.time.Instant;

/** What the reports in JSON have in common. */
final class Json {
  private Json() {}

  /** Opens the document, and in it the array of pools; both are to be ended. */
  static JsonAppendableWriter start(HostReport report, OutputStream out) {
    return JsonWriter.indent("  ")
        .on(out)
        .object()
        .value("application", report.application())
        .value("version", report.agentVersion())
        .array("pools");
  }

  /** Opens the object of one pool. */
  static JsonAppendableWriter startCopy(JsonAppendableWriter json, CopyReport copy) {
    return json.object()
        .value("pool", copy.pool())
        .value("netty_version", copy.version())
        .value("mode", copy.mode());
  }

  /** All frames, how many of them stand before the site, and how many were not kept. */
  static void writeStack(JsonAppendableWriter json, CallStack stack) {
    json.array("stack", stack.frames())
        .value("frames_folded", stack.folded())
        .value("frames_cut", stack.cutFrames());
  }

  static String time(long epochMillis) {
    return Instant.ofEpochMilli(epochMillis).toString();
  }
}
