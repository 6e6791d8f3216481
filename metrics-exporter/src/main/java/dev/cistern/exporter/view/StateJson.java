/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.view;

import com.grack.nanojson.JsonAppendableWriter;
import com.grack.nanojson.JsonWriter;
import dev.cistern.exporter.report.ChannelFigures;
import dev.cistern.exporter.report.CopyChunks;
import dev.cistern.exporter.report.CopyView;
import dev.cistern.exporter.report.Finding;
import dev.cistern.exporter.report.HolderFigures;
import dev.cistern.exporter.report.HostFigures;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.LiveSites;
import dev.cistern.exporter.report.MemoryFigures;
import dev.cistern.exporter.report.PoolFigures;
import dev.cistern.exporter.schema.Figure;
import dev.cistern.exporter.schema.Row;
import dev.cistern.exporter.schema.RowJson;
import dev.cistern.exporter.schema.Scope;
import dev.cistern.leak.report.LeakEntry;
import dev.cistern.leak.report.LeakTotal;
import dev.cistern.stats.ChunkMap;
import java.io.OutputStream;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The state of the processes as JSON: a summary of each, and all figures of one. The figures have
 * the same names and values as in {@code /metrics}. Sites have no stacks.
 */
public final class StateJson {
  /** Maximum number of sites in a list; the rest is counted. */
  public static final int MAX_SITES = 500;

  /** Maximum number of sites in all lists together. */
  public static final int MAX_ALL_SITES = 4 * MAX_SITES;

  /** Rows whose texts contain names. The names are written in the form that the client may see. */
  private static final Set<Scope<?>> WITH_NAMES =
      Set.of(
          MemoryFigures.FINDING,
          MemoryFigures.LARGEST,
          HolderFigures.HELD,
          HolderFigures.PINNED,
          ChannelFigures.CHANNEL,
          ChannelFigures.SHAPE);

  private final JsonAppendableWriter json;
  private final UnaryOperator<String> siteNames;
  private int sitesLeft = MAX_ALL_SITES;

  /**
   * Creates the writer.
   *
   * @param siteNames maps the name of a site to the text to show
   */
  private StateJson(OutputStream out, UnaryOperator<String> siteNames) {
    this.json = JsonWriter.on(out);
    this.siteNames = siteNames;
  }

  /**
   * Writes the document.
   *
   * @param chosen the process with all figures; null if there is no such process
   * @param chunks its chunks, if they are known
   * @param actions actions that the client may start
   * @param siteNames maps the name of a site to the text to show
   */
  public static void write(
      OutputStream out,
      List<HostView> all,
      @Nullable HostView chosen,
      List<CopyChunks> chunks,
      List<String> actions,
      UnaryOperator<String> siteNames) {
    new StateJson(out, siteNames).write(all, chosen, chunks, actions);
  }

  private void write(
      List<HostView> all,
      @Nullable HostView chosen,
      List<CopyChunks> chunks,
      List<String> actions) {
    json.object()
        .value("time_millis", System.currentTimeMillis())
        .array("actions", actions)
        .array("hosts");
    for (HostView host : all) {
      json.object();
      RowJson.writeOnly(json, host.row());
      json.value("state", state(host));
      writeSummary(host);
      json.end();
    }
    json.end();
    if (chosen == null) {
      json.nul("host");
    } else {
      json.object("host").value("state", state(chosen));
      writeVerdict(chosen);
      VerdictJson.writeFindings(json, "findings_ranked", Findings.of(chosen), siteNames);
      json.value("diagnosis_incomplete", Findings.note(chosen));
      writeLargest(chosen);
      RowJson.write(json, chosen.row(), WITH_NAMES, extras(chosen, chunks));
      json.end();
    }
    json.end().done();
  }

  private static String state(HostView host) {
    return host.state().name().toLowerCase(Locale.ROOT);
  }

  /** Writes the figures by which a reader finds a process with a problem. */
  private void writeSummary(HostView host) {
    writeVerdict(host);
    json.value("reserved_bytes", direct(host, PoolFigures.RESERVED_BYTES))
        .value("pinned_bytes", direct(host, PoolFigures.PINNED_BYTES))
        .value("limit_bytes", direct(host, PoolFigures.LIMIT_BYTES))
        .value("limit_used_bytes", direct(host, PoolFigures.LIMIT_USED_BYTES))
        .value("suspect_sites", sum(host, PoolFigures.SUSPECT_SITES))
        .value("failed_allocations", sum(host, PoolFigures.FAILED_ALLOCATIONS))
        .value("leaks", host.copies().stream().mapToLong(copy -> copy.leaks().found()).sum());
  }

  /** Writes the most important finding, or that there is none. */
  private void writeVerdict(HostView host) {
    Finding first =
        Findings.of(host).stream()
            .findFirst()
            .map(finding -> Findings.shown(finding, siteNames))
            .orElse(null);
    json.object("verdict");
    if (first == null && !Findings.isDiagnosed(host)) {
      json.value("level", "notice")
          .value("what", "No diagnosis")
          .value("sure", Findings.note(host))
          .value("since_millis", host.row().orZero(HostFigures.START_TIME))
          .value("next", "wait for its first report, or read its memory and its sites")
          .value("site", "");
    } else if (first == null) {
      json.value("level", "fine")
          .value("what", "No problem found")
          .value("sure", "no rule has found a cause of memory use that needs a change")
          .value("since_millis", host.row().orZero(HostFigures.START_TIME))
          .value("next", "nothing to do")
          .value("site", "");
    } else {
      json.value("level", first.level().label())
          .value("what", first.what())
          .value("sure", String.join("; ", first.evidence()))
          .value("since_millis", first.sinceMillis())
          .value("next", first.next())
          .value("site", first.site());
    }
    json.end();
  }

  private void writeLargest(HostView host) {
    json.array(MemoryFigures.LARGEST.key());
    for (Row each : host.row().rows(MemoryFigures.LARGEST)) {
      json.object()
          .value("span", each.labels().get(0))
          .value("rank", each.labels().get(1))
          .value("pool", each.get(MemoryFigures.LARGEST_POOL))
          .value("memory", each.get(MemoryFigures.LARGEST_MEMORY))
          .value("site", siteNames.apply(each.get(MemoryFigures.LARGEST_SITE)))
          .value(MemoryFigures.LARGEST_BYTES.key(), each.orZero(MemoryFigures.LARGEST_BYTES))
          .value(
              MemoryFigures.LARGEST_TIME.key(),
              MemoryFigures.LARGEST_TIME.unit().of(each.orZero(MemoryFigures.LARGEST_TIME)))
          .end();
    }
    json.end();
  }

  /** Returns a figure of direct memory, which usually runs out first; 0 if it is unknown. */
  private static long direct(HostView host, Figure<?> figure) {
    return Math.max(0, host.total(figure, "direct"));
  }

  private static long sum(HostView host, Figure<?> figure) {
    return host.copies().stream().mapToLong(copy -> copy.sum(figure)).sum();
  }

  /**
   * Returns writers of the data of rows besides their figures: the sites of copies, the chunks of
   * arenas.
   */
  private IdentityHashMap<Row, Runnable> extras(HostView host, List<CopyChunks> chunks) {
    IdentityHashMap<Row, Runnable> extras = new IdentityHashMap<>();
    for (CopyView copy : host.copies()) {
      if (copy.isDiagnosed()) {
        extras.put(copy.row(), () -> writeSites(copy));
      }
      for (CopyChunks each : chunks) {
        Row pool = each.pool().equals(copy.pool()) ? copy.pool(each.map().memory()) : null;
        List<Row> arenas = pool == null ? List.of() : pool.rows(PoolFigures.ARENA);
        for (int i = 0; i < Math.min(arenas.size(), each.map().arenas()); i++) {
          int arena = i;
          extras.put(arenas.get(i), () -> writeChunks(each.map(), arena));
        }
      }
    }
    return extras;
  }

  private void writeChunks(ChunkMap chunks, int arena) {
    json.array("chunk_map");
    for (int chunk = 0; chunk < chunks.listed(arena); chunk++) {
      json.object()
          .value("band", chunks.band(arena, chunk).label())
          .value("usage", chunks.usage(arena, chunk))
          .end();
    }
    json.end().value("chunks_not_listed", chunks.notListed(arena));
  }

  private void writeSites(CopyView copy) {
    List<LeakEntry> leaked = LeakedSites.of(copy.leaks());
    List<LeakEntry> listed = listed(leaked);
    writeSites(
        "leak_sites",
        leaked,
        site ->
            json.value("site", siteNames.apply(site.site()))
                .value("memory", site.memory())
                .value("leaks", site.found())
                .value("leaked_bytes", site.bytes())
                .value("first_seen_millis", site.firstSeenMillis())
                .value("last_seen_millis", site.lastSeenMillis()));
    json.array("other_leaks");
    for (LeakTotal total : copy.leaks().totals()) {
      List<LeakEntry> own =
          listed.stream().filter(each -> each.memory().equals(total.memory())).toList();
      long found = total.found() - own.stream().mapToLong(LeakEntry::found).sum();
      if (found > 0) {
        json.object()
            .value("memory", total.memory())
            .value("leaks", found)
            .value("leaked_bytes", total.bytes() - own.stream().mapToLong(LeakEntry::bytes).sum())
            .end();
      }
    }
    json.end();
    json.value("live_time_millis", copy.live().timeMillis());
    writeSites(
        "live_sites",
        LiveSites.of(copy.live()),
        site -> {
          json.value("site", siteNames.apply(site.site()));
          LiveJson.writeSite(json, site);
        });
    new HoldersJson(json, siteNames).write(copy.held(), copy.pinned(), copy.channelsWithPeers());
  }

  /** Returns the first sites that fit into the limit. */
  private <T> List<T> listed(List<T> sites) {
    return sites.subList(0, Math.min(Math.min(MAX_SITES, sitesLeft), sites.size()));
  }

  private <T> void writeSites(String name, List<T> sites, Consumer<T> writer) {
    List<T> shown = listed(sites);
    sitesLeft -= shown.size();
    json.array(name);
    for (T site : shown) {
      json.object();
      writer.accept(site);
      json.end();
    }
    json.end().value(name + "_not_listed", sites.size() - shown.size());
  }
}
