/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.view;

import com.grack.nanojson.JsonAppendableWriter;
import com.grack.nanojson.JsonWriter;
import dev.cistern.exporter.report.CopyView;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.SiteLabel;
import dev.cistern.leak.report.CallStack;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;

/** Parts that the JSON reports share. */
public final class Json {
  private Json() {}

  /** Writer of a report's data about a pool. */
  interface PoolWriter {
    /** Adds fields to the open object of the pool, without closing it. */
    void write(JsonAppendableWriter json, CopyView copy, HostView.Sampling pools);
  }

  /** Writes a document with an object for each pool. */
  static void write(HostView report, OutputStream out, PoolWriter writer) throws IOException {
    JsonAppendableWriter json =
        JsonWriter.indent("  ")
            .on(out)
            .object()
            .value("application", report.application())
            .value("version", report.version())
            .array("pools");
    for (CopyView copy : report.copies()) {
      json.object()
          .value("pool", copy.pool())
          .value("netty_version", copy.version())
          .value("mode", copy.mode());
      writer.write(json, copy, report.sampling(copy));
      json.end();
    }
    json.end().end().done();
    out.write('\n');
  }

  /** Writes a site and its hash. */
  static void writeSite(JsonAppendableWriter json, String site) {
    json.value("site", site).value("site_hash", SiteLabel.hashOfSite(site));
  }

  /**
   * Writes a stack: all kept frames, the number of folded frames before the site, and the number of
   * frames that were not kept.
   */
  static void writeStack(JsonAppendableWriter json, CallStack stack) {
    json.array("stack", stack.frames())
        .value("frames_folded", stack.folded())
        .value("frames_cut", stack.cutFrames());
  }

  public static String time(long epochMillis) {
    return Instant.ofEpochMilli(epochMillis).toString();
  }
}
