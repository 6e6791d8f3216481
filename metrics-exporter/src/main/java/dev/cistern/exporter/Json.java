/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import com.grack.nanojson.JsonStringWriter;
import com.grack.nanojson.JsonWriter;
import dev.cistern.leak.CallStack;
import java.time.Instant;

/** What the reports in JSON have in common. */
final class Json {
  private Json() {}

  /** Opens the document, and in it the array of pools; both are to be ended. */
  static JsonStringWriter start(HostReport report) {
    return JsonWriter.indent("  ")
        .string()
        .object()
        .value("application", report.application())
        .value("version", report.agentVersion())
        .array("pools");
  }

  /** Opens the object of one pool. */
  static JsonStringWriter startCopy(JsonStringWriter json, CopyReport copy) {
    return json.object()
        .value("pool", copy.pool())
        .value("netty_version", copy.version())
        .value("mode", copy.mode());
  }

  /** All frames, how many of them stand before the site, and how many were not kept. */
  static void writeStack(JsonStringWriter json, CallStack stack) {
    json.array("stack", stack.frames())
        .value("frames_folded", stack.folded())
        .value("frames_cut", stack.cutFrames());
  }

  static String time(long epochMillis) {
    return Instant.ofEpochMilli(epochMillis).toString();
  }
}
