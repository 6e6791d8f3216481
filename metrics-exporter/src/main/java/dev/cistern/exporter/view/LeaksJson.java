/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.view;

import com.grack.nanojson.JsonAppendableWriter;
import dev.cistern.exporter.report.CopyView;
import dev.cistern.exporter.report.HostView;
import dev.cistern.leak.report.LeakAccess;
import dev.cistern.leak.report.LeakEntry;
import dev.cistern.leak.report.LeakRecord;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LeakTotal;
import dev.cistern.leak.report.RankedLeaks;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** Leaks as JSON, with all known data. */
public final class LeaksJson {
  private LeaksJson() {}

  public static void write(HostView report, ReportOptions options, OutputStream out)
      throws IOException {
    Json.write(report, out, (json, copy, pools) -> writeCopy(json, copy, pools, options));
  }

  private static void writeCopy(
      JsonAppendableWriter json, CopyView copy, HostView.Sampling pools, ReportOptions options) {
    LeakReport leaks = copy.leaks();
    json.value("level", leaks.level())
        .value("watched", leaks.watched())
        .value("not_watched", leaks.notWatched())
        .value("failed_samples", pools.failedSamples())
        .value("without_stack", leaks.withoutStack())
        .value("failures", leaks.failures())
        .array("totals");
    for (LeakTotal total : leaks.totals()) {
      json.object().value("memory", total.memory());
      writeCounts(json, total.found(), total.buffers(), total.bytes());
      json.end();
    }
    json.end().array("others");
    for (LeakEntry other : leaks.others()) {
      json.object().value("memory", other.memory());
      writeCounts(json, other.found(), other.buffers(), other.bytes());
      json.value("first_seen", Json.time(other.firstSeenMillis()))
          .value("last_seen", Json.time(other.lastSeenMillis()))
          .value("last_site", other.site())
          .end();
    }
    json.end().array("ranked");
    for (RankedLeaks ranked : leaks.ranked()) {
      if (options.shows(ranked.site())) {
        json.object()
            .value("memory", ranked.memory())
            .value("site", ranked.site())
            .value("place", ranked.place())
            .value("found", ranked.found())
            .value("estimated_bytes", ranked.bytes())
            .end();
      }
    }
    json.end().array("leaks");
    for (LeakEntry entry : LeaksText.entries(leaks, options)) {
      json.object();
      Json.writeSite(json, entry.site());
      json.value("memory", entry.memory());
      writeCounts(json, entry.found(), entry.buffers(), entry.bytes());
      json.value("first_seen", Json.time(entry.firstSeenMillis()))
          .value("last_seen", Json.time(entry.lastSeenMillis()));
      Json.writeStack(json, entry.stack());
      writeLatest(json, entry.latest());
      json.end();
    }
    json.end();
  }

  private static void writeCounts(JsonAppendableWriter json, long found, long buffers, long bytes) {
    json.value("found", found).value("estimated_buffers", buffers).value("estimated_bytes", bytes);
  }

  /** Writes the latest buffer. Its stack is that of the entry. */
  private static void writeLatest(JsonAppendableWriter json, LeakRecord latest) {
    json.object("latest")
        .value("kind", latest.kind())
        .value("requested_bytes", latest.requestedBytes())
        .value("slot_bytes", latest.slotBytes())
        .value("thread", latest.thread())
        .value("allocated", Json.time(latest.allocatedMillis()))
        .value("age_millis", latest.ageMillis());
    writeTrail(json, "accesses", latest.accesses());
    json.value("accesses_dropped", latest.accessesDropped());
    writeTrail(json, "ref_count_calls", latest.counts());
    json.value("ref_count_calls_dropped", latest.countsDropped()).end();
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
