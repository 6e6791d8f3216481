/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import com.grack.nanojson.JsonAppendableWriter;
import dev.cistern.leak.report.LeakAccess;
import dev.cistern.leak.report.LeakEntry;
import dev.cistern.leak.report.LeakRecord;
import dev.cistern.leak.report.LeakReport;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** Leaks as JSON: everything that is known of them. */
final class LeaksJson {
  private LeaksJson() {}

  static void write(HostReport report, View view, OutputStream out) throws IOException {
    Json.write(report, out, (json, copy, pools) -> writeCopy(json, copy, pools, view));
  }

  private static void writeCopy(
      JsonAppendableWriter json, CopyReport copy, SampledPools pools, View view) {
    LeakReport leaks = copy.leaks();
    json.value("level", leaks.level())
        .value("watched", leaks.watched())
        .value("not_watched", leaks.notWatched())
        .value("failed_samples", pools.failedSamples())
        .value("without_stack", leaks.withoutStack())
        .value("failures", leaks.failures())
        .value("dropped", leaks.dropped())
        .value("dropped_bytes", leaks.droppedBytes())
        .array("leaks");
    for (LeakEntry entry : LeaksText.entries(leaks, view)) {
      json.object()
          .value("site", entry.site())
          .value("site_hash", SiteLabel.hashOfSite(entry.site()))
          .value("memory", entry.memory())
          .value("found", entry.found())
          .value("estimated_buffers", entry.buffers())
          .value("estimated_bytes", entry.bytes())
          .value("first_seen", Json.time(entry.firstSeenMillis()))
          .value("last_seen", Json.time(entry.lastSeenMillis()));
      Json.writeStack(json, entry.stack());
      writeLatest(json, entry.latest());
      json.end();
    }
    json.end();
  }

  /** The latest buffer; its stack is the entry's. */
  private static void writeLatest(JsonAppendableWriter json, LeakRecord latest) {
    json.object("latest")
        .value("kind", latest.kind())
        .value("requested_bytes", latest.requestedBytes())
        .value("slot_bytes", latest.slotBytes())
        .value("thread", latest.thread())
        .value("allocated", Json.time(latest.allocatedMillis()))
        .value("age_millis", latest.ageMillis());
    writeTrail(json, "uses", latest.accesses());
    json.value("uses_dropped", latest.accessesDropped());
    writeTrail(json, "counts", latest.counts());
    json.value("counts_dropped", latest.countsDropped()).end();
  }

  private static void writeTrail(JsonAppendableWriter json, String name, List<LeakAccess> trail) {
    json.array(name);
    for (LeakAccess access : trail) {
      json.object()
          .value("operation", access.operation())
          .value("hint", access.hint())
          .value("thread", access.thread())
          .value("since_allocation_millis", access.sinceMillis())
          .value("repeats", access.repeats())
          .value("site", access.stack().site());
      Json.writeStack(json, access.stack());
      json.end();
    }
    json.end();
  }
}
