/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import com.grack.nanojson.JsonStringWriter;
import dev.cistern.leak.report.Age;
import dev.cistern.leak.report.LeakEntry;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.leak.report.LiveEstimate;
import dev.cistern.leak.report.LiveReport;
import dev.cistern.leak.report.LiveSite;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** The sites that hold memory and those that leaked, in {@code /state}: no stack among them. */
final class StateSites {
  /** Sites of a list that are listed; the rest is counted. */
  static final int MOST = 500;

  /** Those of all lists together. */
  static final int MOST_OF_ALL = 4 * MOST;

  private static final Comparator<LeakedSite> LARGEST_FIRST =
      Comparator.comparingLong(LeakedSite::bytes).reversed().thenComparing(LeakedSite::site);

  private final JsonStringWriter json;
  private final UnaryOperator<String> siteNames;
  private int left = MOST_OF_ALL;

  /** All leaks of one site, whose stacks may differ. */
  private record LeakedSite(
      String memory,
      String site,
      long found,
      long buffers,
      long bytes,
      long firstSeenMillis,
      long lastSeenMillis) {
    static LeakedSite of(LeakEntry entry) {
      return new LeakedSite(
          entry.memory(),
          entry.site(),
          entry.found(),
          entry.buffers(),
          entry.bytes(),
          entry.firstSeenMillis(),
          entry.lastSeenMillis());
    }

    LeakedSite plus(LeakedSite more) {
      return new LeakedSite(
          memory,
          site,
          found + more.found,
          buffers + more.buffers,
          bytes + more.bytes,
          Math.min(firstSeenMillis, more.firstSeenMillis),
          Math.max(lastSeenMillis, more.lastSeenMillis));
    }
  }

  /**
   * @param json the writer, in whose open object all is written
   * @param siteNames what is told for a site
   */
  StateSites(JsonStringWriter json, UnaryOperator<String> siteNames) {
    this.json = json;
    this.siteNames = siteNames;
  }

  /** Leaks that were found, those among them whose stacks found no place. */
  static long found(LeakReport leaks) {
    return leaks.dropped() + leaks.entries().stream().mapToLong(LeakEntry::found).sum();
  }

  void write(HostReport report, CopyReport copy) {
    writeLeaks(copy.leaks(), SampledPools.of(report, copy).failedSamples());
    writeLive(copy);
  }

  private void writeLeaks(LeakReport leaks, long failedSamples) {
    json.object("leaks")
        .value("level", leaks.level())
        .value("watched", leaks.watched())
        .value("not_watched", leaks.notWatched())
        .value("failed_samples", failedSamples)
        .value("without_stack", leaks.withoutStack())
        .value("dropped", leaks.dropped())
        .value("dropped_bytes", leaks.droppedBytes())
        .array("sites");
    List<LeakedSite> sites = leakedSites(leaks);
    writeSites(sites, this::writeLeakedSite);
    json.end();
  }

  private static List<LeakedSite> leakedSites(LeakReport leaks) {
    Map<List<String>, LeakedSite> sites = new LinkedHashMap<>();
    for (LeakEntry entry : leaks.entries()) {
      sites.merge(List.of(entry.memory(), entry.site()), LeakedSite.of(entry), LeakedSite::plus);
    }
    return sites.values().stream().sorted(LARGEST_FIRST).toList();
  }

  private void writeLeakedSite(LeakedSite site) {
    json.object()
        .value("site", siteNames.apply(site.site()))
        .value("memory", site.memory())
        .value("found", site.found())
        .value("buffers", site.buffers())
        .value("bytes", site.bytes())
        .value("first_seen_millis", site.firstSeenMillis())
        .value("last_seen_millis", site.lastSeenMillis())
        .end();
  }

  private void writeLive(CopyReport copy) {
    LiveReport live = copy.live();
    json.object("live")
        .value("time_millis", live.timeMillis())
        .value("sample_interval_bytes", live.intervalBytes())
        .value("trends_dropped", live.trendsDropped())
        .array("totals");
    for (String memory : LiveSites.memories(copy)) {
      json.object().value("memory", memory);
      writeEstimate(live.total(memory));
      json.value("lost_bytes", Math.round(LiveSites.lostBytes(live, memory)))
          .value("suspects", LiveSites.suspects(live, memory))
          .end();
    }
    json.end().array("sites");
    List<LiveSite> sites = LiveSites.of(live);
    writeSites(sites, this::writeLiveSite);
    json.end();
  }

  /** Ends the array, and counts what it lacks. */
  private <T> void writeSites(List<T> sites, Consumer<T> writer) {
    List<T> shown = sites.subList(0, Math.min(Math.min(MOST, left), sites.size()));
    left -= shown.size();
    shown.forEach(writer);
    json.end().value("sites_not_listed", sites.size() - shown.size());
  }

  private void writeLiveSite(LiveSite site) {
    json.object().value("site", siteNames.apply(site.site())).value("memory", site.memory());
    writeEstimate(site.live());
    json.value("lost_bytes", Math.round(site.lostBytes()))
        .value("oldest_millis", site.oldestMillis())
        .value("stacks", site.stacks())
        .value("growth_bytes_1_minute", site.trend().minuteBytes())
        .value("growth_bytes_5_minutes", site.trend().fiveMinutesBytes())
        .value("suspect_since_millis", site.trend().suspectSinceMillis())
        .end();
  }

  private void writeEstimate(LiveEstimate live) {
    json.value("bytes", Math.round(live.bytes()))
        .value("bytes_error", Math.round(live.bytesError()))
        .value("buffers", Math.round(live.buffers()))
        .array("bytes_by_age");
    for (Age age : Age.values()) {
      json.value(Math.round(live.bytes(age)));
    }
    json.end();
  }
}
