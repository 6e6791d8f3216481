/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import com.grack.nanojson.JsonParserException;
import dev.cistern.exporter.metrics.CisternCollector;
import dev.cistern.exporter.metrics.SeriesOptions;
import dev.cistern.exporter.report.CopyChunks;
import dev.cistern.exporter.report.HostIdentity;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.PoolReport;
import dev.cistern.exporter.schema.Detail;
import dev.cistern.exporter.view.Json;
import dev.cistern.exporter.view.StateJson;
import dev.cistern.leak.report.LeakEntry;
import dev.cistern.leak.report.LeakReport;
import dev.cistern.stats.ChunkMap;
import dev.cistern.stats.UsageBand;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The content of {@code /state}, compared with a scrape of the same report. */
class StateJsonTest {
  private static final HostReport REPORT = Reports.everything();

  private static JsonObject state(HostReport report, List<CopyChunks> chunks)
      throws JsonParserException {
    HostView host = HostView.of(report);
    return json(List.of(host), host, chunks);
  }

  private static JsonObject json(
      List<HostView> all, @Nullable HostView chosen, List<CopyChunks> chunks)
      throws JsonParserException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    StateJson.write(out, all, chosen, chunks, List.of(), site -> "<" + site);
    return JsonParser.object().from(out.toString(StandardCharsets.UTF_8));
  }

  private static JsonObject copy(int index) throws JsonParserException {
    return state(REPORT, List.of()).getObject("host").getArray("copies").getObject(index);
  }

  private static Map<String, Double> series() {
    return Scrape.series(
        new CisternCollector(
            () -> REPORT, SeriesOptions.DEFAULT.withDetail(Detail.ALL).withSeriesLimit(1_000)));
  }

  private static double metric(String name, String memory, String more) {
    return series().get(name + "{" + "memory=\"" + memory + "\",pool=\"io.netty\"" + more + "}");
  }

  @Test
  void theFiguresOfAPoolAreThoseOfAScrape() throws Exception {
    JsonArray pools = copy(0).getArray("pools");
    assertThat(pools).hasSize(2);
    for (int i = 0; i < pools.size(); i++) {
      JsonObject pool = pools.getObject(i);
      String memory = pool.getString("memory");
      for (String figure :
          List.of(
              "reserved_bytes",
              "pinned_bytes",
              "cached_bytes",
              "free_bytes",
              "huge_reserved_bytes",
              "huge_pinned_bytes",
              "huge_cached_bytes",
              "limit_used_bytes",
              "thread_caches")) {
        double expected = metric("cistern_" + figure, memory, "");
        assertThat((double) pool.getLong(figure)).as(figure).isEqualTo(expected);
      }
      for (String figure : List.of("requests", "hits", "misses")) {
        assertThat((double) pool.getLong("thread_cache_" + figure))
            .isEqualTo(metric("cistern_thread_cache_" + figure + "_total", memory, ""));
      }
      for (UsageBand band : UsageBand.values()) {
        String key = "cistern_chunks{band=\"" + band.label() + "\",memory=\"" + memory;
        JsonObject row = pool.getArray("bands").getObject(band.ordinal());
        assertThat(row.getString("band")).isEqualTo(band.label());
        assertThat((double) row.getLong("chunks"))
            .isEqualTo(series().get(key + "\",pool=\"io.netty\"}"));
      }
      JsonArray groups = pool.getArray("size_groups");
      assertThat(groups).hasSize(3);
      for (int group = 0; group < groups.size(); group++) {
        JsonObject row = groups.getObject(group);
        String label = ",size_group=\"" + row.getString("size_group") + "\"";
        assertThat((double) row.getLong("allocations"))
            .isEqualTo(metric("cistern_allocations_total", memory, label));
      }
    }
    assertThat(pools.getObject(0).getLong("limit_bytes")).isEqualTo(1L << 30);
    assertThat(pools.getObject(1).has("limit_bytes")).isFalse();
    assertThat((double) pools.getObject(0).getLong("resident_bytes"))
        .isEqualTo(metric("cistern_resident_bytes", "direct", ""));
    assertThat(metric("cistern_memory_way", "direct", ",way=\"mmap_jdk\"")).isOne();
    assertThat(pools.getObject(0).getString("way")).isEqualTo("mmap_jdk");
  }

  @Test
  void theBandsOfTheArenasAddUpToThoseOfThePool() throws Exception {
    JsonObject pool = copy(0).getArray("pools").getObject(0);
    JsonArray arenas = pool.getArray("arena_details");
    assertThat(arenas).hasSize(2);
    for (int band = 0; band < UsageBand.values().length; band++) {
      long sum = 0;
      for (int arena = 0; arena < arenas.size(); arena++) {
        JsonArray bands = arenas.getObject(arena).getArray("bands");
        sum += bands.getObject(band).getLong("arena_chunks");
      }
      long ofPool = pool.getArray("bands").getObject(band).getLong("chunks");
      assertThat(sum).isEqualTo(ofPool).isPositive();
    }
    assertThat(arenas.getObject(0).has("chunk_map")).isFalse();
  }

  @Test
  void chunksAreListedIfTheSourceReportsThem() throws Exception {
    int[][] cells = {{ChunkMap.cell(UsageBand.Q050, 67), ChunkMap.cell(UsageBand.Q100, 100)}, {}};
    CopyChunks chunks = new CopyChunks("io.netty", new ChunkMap("heap", cells, new int[] {0, 3}));
    JsonArray pools =
        state(REPORT, List.of(chunks))
            .getObject("host")
            .getArray("copies")
            .getObject(0)
            .getArray("pools");
    assertThat(pools.getObject(0).getArray("arena_details").getObject(0).has("chunk_map"))
        .isFalse();
    JsonArray arenas = pools.getObject(1).getArray("arena_details");
    JsonObject chunk = arenas.getObject(0).getArray("chunk_map").getObject(0);
    assertThat(chunk.getString("band")).isEqualTo("q050");
    assertThat(chunk.getInt("usage")).isEqualTo(67);
    assertThat(arenas.getObject(0).getInt("chunks_not_listed")).isZero();
    assertThat(arenas.getObject(1).getArray("chunk_map")).isEmpty();
    assertThat(arenas.getObject(1).getInt("chunks_not_listed")).isEqualTo(3);
  }

  @Test
  void sitesHaveTheNamesThatTheClientMayKnow() throws Exception {
    JsonObject suspect = copy(0).getArray("live_sites").getObject(0);
    assertThat(suspect.getString("site")).isEqualTo("<com.shop.Cart.encode:42");
    assertThat(suspect.getLong("bytes")).isEqualTo((1 << 20) + (1 << 18));
    assertThat(suspect.getLong("growth_bytes_5_minutes")).isEqualTo(1_200_000);
    assertThat(suspect.getString("suspect_since"))
        .isEqualTo(Json.time(Reports.NOON_MILLIS + 9_000));
    assertThat(suspect.getObject("bytes_by_age")).hasSize(4);
    JsonObject leak = copy(0).getArray("leak_sites").getObject(0);
    assertThat(leak.getString("site")).isEqualTo("<com.shop.Cart.encode:42");
    assertThat(leak.getLong("leaks")).isEqualTo(3);
    assertThat(leak.getLong("leaked_bytes")).isEqualTo(1_572_864);
    assertThat(leak.getLong("first_seen_millis")).isEqualTo(Reports.NOON_MILLIS + 1_000);
    JsonObject others = copy(0).getArray("other_leaks").getObject(0);
    assertThat(others.getString("memory")).isEqualTo("direct");
    assertThat(others.getLong("leaks")).isEqualTo(4);
  }

  @Test
  void leaksOfOneSiteAreOneEntry() throws Exception {
    LeakReport leaks =
        Reports.leaks(
            List.of(
                Reports.entry("direct", "a.B.c:1", 3, 30),
                Reports.entry("direct", "a.B.c:1", 2, 20),
                Reports.entry("heap", "a.B.c:1", 1, 10)));
    JsonArray sites =
        state(Reports.host(Reports.copy("io.netty", leaks)), List.of())
            .getObject("host")
            .getArray("copies")
            .getObject(0)
            .getArray("leak_sites");
    assertThat(sites).hasSize(2);
    assertThat(sites.getObject(0).getLong("leaks")).isEqualTo(5);
    assertThat(sites.getObject(0).getLong("leaked_bytes")).isEqualTo(50);
  }

  @Test
  void sitesBeyondTheLimitAreCounted() throws Exception {
    List<LeakEntry> entries = new ArrayList<>();
    for (int i = 0; i < StateJson.MAX_SITES + 7; i++) {
      entries.add(Reports.entry("direct", "a.B.c:" + i, 1, i));
    }
    JsonObject copy =
        state(Reports.host(Reports.copy("io.netty", Reports.leaks(entries))), List.of())
            .getObject("host")
            .getArray("copies")
            .getObject(0);
    assertThat(copy.getArray("leak_sites")).hasSize(StateJson.MAX_SITES);
    assertThat(copy.getInt("leak_sites_not_listed")).isEqualTo(7);
  }

  @Test
  void sitesOfAllCopiesBeyondTheLimitAreCounted() throws Exception {
    List<LeakEntry> entries = new ArrayList<>();
    for (int i = 0; i < StateJson.MAX_SITES; i++) {
      entries.add(Reports.entry("direct", "a.B.c:" + i, 1, i));
    }
    List<PoolReport> copies = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      copies.add(Reports.copy("io.netty" + i, Reports.leaks(entries), Reports.live()));
    }
    JsonObject host =
        state(Reports.host(copies.toArray(new PoolReport[0])), List.of()).getObject("host");
    int listed = 0;
    int notListed = 0;
    for (Object copy : host.getArray("copies")) {
      for (String kind : List.of("leak_sites", "live_sites")) {
        listed += ((JsonObject) copy).getArray(kind).size();
        notListed += ((JsonObject) copy).getInt(kind + "_not_listed");
      }
    }
    assertThat(listed).isEqualTo(StateJson.MAX_ALL_SITES);
    assertThat(notListed)
        .isGreaterThanOrEqualTo(10 * StateJson.MAX_SITES - StateJson.MAX_ALL_SITES);
  }

  @Test
  void nettysOwnAllocatorsHaveTheValuesOfAScrape() throws Exception {
    JsonArray parts = copy(1).getArray("netty_allocator_details");
    assertThat(parts).hasSize(6);
    for (int i = 0; i < parts.size(); i++) {
      JsonObject part = parts.getObject(i);
      String key =
          "cistern_netty_allocator_reserved_bytes{allocator=\""
              + part.getString("allocator")
              + "\",memory=\""
              + part.getString("memory")
              + "\",pool=\"a.io.netty\"}";
      assertThat((double) part.getLong("netty_allocator_reserved_bytes"))
          .isEqualTo(series().get(key));
      assertThat(part.has("netty_allocator_pinned_bytes"))
          .isEqualTo(part.getString("allocator").startsWith("pooled-"));
    }
  }

  @Test
  void eachHostIsListedAndOneIsShown() throws Exception {
    HostView up = HostView.of(REPORT);
    HostIdentity gone = new HostIdentity("f".repeat(16), "gone", "pod-1", "main", 7, "0.1", 5);
    HostView died = HostView.of(new HostReport(gone, 9, 0, List.of())).with(HostView.State.DIED, 8);
    JsonObject json = json(List.of(up, died), died, List.of());
    assertThat(json.getArray("hosts")).hasSize(2);
    JsonObject listed = json.getArray("hosts").getObject(0);
    assertThat(listed.getString("state")).isEqualTo("up");
    assertThat(listed.getLong("leaks")).isEqualTo(8);
    assertThat(listed.getLong("suspect_sites")).isEqualTo(1);
    assertThat(listed.getLong("reserved_bytes")).isGreaterThan(2 * 20_971_520L);
    JsonObject shown = json.getObject("host");
    assertThat(shown.getString("host_id")).isEqualTo("f".repeat(16));
    assertThat(shown.getString("state")).isEqualTo("died");
    assertThat(shown.getString("pod")).isEqualTo("pod-1");
    assertThat(shown.getDouble("host_heartbeat_timestamp_seconds")).isEqualTo(0.008);
    assertThat(shown.has("copies")).isFalse();
  }

  @Test
  void aHostThatIsNotThereIsNoHost() throws Exception {
    assertThat(json(List.of(), null, List.of()).isNull("host")).isTrue();
  }
}
